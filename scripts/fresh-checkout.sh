#!/bin/sh
# Proves the two commands of the README on a fresh clone with an empty HOME: first without Bun on PATH, then with it.
# Needs the package registry and about 1 GB of disk. By hand and before a release; not part of ./scripts/test.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The rest of the environment stays: it may name the certificates that the package registry is reached with.
unset BUN_INSTALL BUN_INSTALL_CACHE_DIR npm_config_cache npm_config_prefix
unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME

say() {
  printf '\n== %s\n' "$1"
}

# PATH without any folder that holds a bun.
bare_path=
old_ifs=$IFS
IFS=:
for folder in $PATH; do
  [ -x "$folder/bun" ] || bare_path=$bare_path${bare_path:+:}$folder
done
IFS=$old_ifs

# run NAME PATH: clones, runs both commands from elsewhere, and looks whether HOME stayed empty.
run() {
  clone="$scratch/$1 checkout/burin"
  home="$scratch/$1 home"
  mkdir -p "$home" "$scratch/elsewhere"
  git clone --quiet "$here" "$clone"
  ln -s "$clone/scripts/burin" "$scratch/$1"
  cd "$scratch/elsewhere"
  say "$1: burin demo"
  HOME=$home PATH=$2 "$scratch/$1" demo </dev/null
  say "$1: scripts/test"
  HOME=$home PATH=$2 "$clone/scripts/test" </dev/null
  say "$1: left in HOME"
  find "$home" -type f | head -n 20
  cd "$clone"
  dirty=$(git status --porcelain)
  [ -z "$dirty" ] || {
    printf 'the checkout is not clean afterwards:\n%s\n' "$dirty"
    exit 1
  }
  bun=$(find "$clone/.tools/node_modules" "$clone/node_modules" -path '*bin/bun*' -type f -perm -u+x 2>/dev/null | head -n 1)
}

run without "$bare_path"

# The Bun that the first run installed, alone in a folder, as a machine's own.
mkdir "$scratch/bin"
cp "$bun" "$scratch/bin/bun"
run with "$scratch/bin:$bare_path"
say "both passed"
