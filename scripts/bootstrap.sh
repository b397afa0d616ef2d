# Shared by scripts/burin and scripts/test, which set $self to their own file: finds or installs Bun and the packages,
# builds a stale binary. Writes only inside the checkout, and says something only when it does something.

root=$(CDPATH='' cd -- "$(dirname -- "$self")/.." && pwd -P) || exit 2
tools=$root/.tools
lock=$tools/lock

fail() {
  printf 'burin: %s\n' "$1" >&2
  exit 2
}

# The version of Bun stands in one place: devDependencies.bun in package.json.
pinned_bun() {
  sed -n 's/^ *"bun": *"\([^"]*\)".*/\1/p' "$root/package.json"
}

# is_fresh RESULT SOURCE…: RESULT exists and no SOURCE (or file below it) is newer.
is_fresh() {
  result=$1
  shift
  [ -e "$result" ] && [ -z "$(find "$@" -newer "$result" 2>/dev/null | head -n 1)" ]
}

is_built() {
  is_fresh "$root/dist/burin" "$root/src" "$root/scripts/build.ts" "$root/scripts/compile.ts" \
    "$root/package.json" "$root/bun.lock"
}

has_packages() {
  is_fresh "$root/node_modules/.installed" "$root/package.json" "$root/bun.lock"
}

# Sets $bun to a Bun of exactly the pinned version, if there is one.
find_bun() {
  version=$(pinned_bun)
  # npm may have left out the package's own install step: then the program still lies in the platform's package.
  for bun in "$(command -v bun)" "$root/node_modules/.bin/bun" "$tools/node_modules/.bin/bun" \
    "$tools"/node_modules/@oven/*/bin/bun; do
    [ -x "$bun" ] && [ "$("$bun" --version 2>/dev/null)" = "$version" ] && return 0
  done
  bun=
  return 1
}

# logged WHAT COMMAND…: announces a step, keeps its output for the case that it fails.
logged() {
  printf 'burin: %s\n' "$1" >&2
  step=$1
  shift
  "$@" >"$tools/bootstrap.log" 2>&1 && return 0
  cat "$tools/bootstrap.log" >&2
  fail "$step failed; the output is above and in $tools/bootstrap.log"
}

install_bun() {
  version=$(pinned_bun)
  if command -v npm >/dev/null 2>&1; then
    logged "installing Bun $version with npm" npm install --prefix "$tools" --no-save \
      --no-package-lock --no-audit --no-fund --no-update-notifier "bun@$version"
    script=$tools/node_modules/bun/install.js
    find_bun || { [ -f "$script" ] && node "$script" >>"$tools/bootstrap.log" 2>&1; }
  elif command -v bun >/dev/null 2>&1; then
    [ -e "$tools/package.json" ] || printf '{}\n' >"$tools/package.json"
    logged "installing Bun $version with the Bun that is here" \
      bun add --cwd "$tools" --no-save --trust "bun@$version"
  else
    fail "needs npm or Bun to set itself up and found neither; install one of them, then run this again"
  fi
  find_bun || fail "Bun $version was installed into $tools and does not run on this machine"
}

install() {
  find_bun || install_bun
  has_packages && return 0
  logged "installing packages" "$bun" install --frozen-lockfile --cwd "$root"
  touch "$root/node_modules/.installed"
}

build() {
  install
  is_built || "$bun" "$root/scripts/build.ts" || fail "the build failed; its output is above"
}

# A lock whose owner is gone is taken over. Renaming its pid file decides between two that try at once; one that finds
# it took a living owner's file puts it back.
take_over() {
  gone=$1
  mv "$lock/pid" "$lock/pid.$$" 2>/dev/null || return 1
  if [ "$(cat "$lock/pid.$$")" = "$gone" ]; then
    printf '%s\n' "$$" >"$lock/pid"
    rm -f "$lock/pid.$$"
    return 0
  fi
  mv "$lock/pid.$$" "$lock/pid"
  return 1
}

acquire() {
  nameless=0
  until mkdir "$lock" 2>/dev/null; do
    owner=$(cat "$lock/pid" 2>/dev/null)
    if [ -n "$owner" ]; then
      nameless=0
      kill -0 "$owner" 2>/dev/null || { take_over "$owner" && return 0; }
    else
      # Its owner died before it could leave its pid, or is about to write it.
      nameless=$((nameless + 1))
      [ "$nameless" -lt 5 ] || { rmdir "$lock" 2>/dev/null; nameless=0; }
    fi
    sleep 1
  done
  printf '%s\n' "$$" >"$lock/pid"
}

# locked STEP: runs a step while no other start of burin in this checkout does.
locked() {
  mkdir -p "$tools" || fail "cannot write to $root; make the checkout writable"
  acquire
  trap 'rm -rf "$lock"' EXIT
  trap 'exit 130' HUP INT TERM
  BUN_INSTALL_CACHE_DIR=${BUN_INSTALL_CACHE_DIR:-$tools/cache/bun}
  BUN_RUNTIME_TRANSPILER_CACHE_PATH=${BUN_RUNTIME_TRANSPILER_CACHE_PATH:-$tools/cache/transpiler}
  npm_config_cache=${npm_config_cache:-$tools/cache/npm}
  DO_NOT_TRACK=1
  export BUN_INSTALL_CACHE_DIR BUN_RUNTIME_TRANSPILER_CACHE_PATH npm_config_cache DO_NOT_TRACK
  "$1"
}
