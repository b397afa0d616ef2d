// A process for the test of names: starts a session under the wanted name and says which name it got.
import { newId } from "../../src/base/ids.ts";
import { openLog } from "../../src/session/reopen.ts";
import { sessionPath, shelfOf } from "../../src/session/folder.ts";
import { withFreeName } from "../../src/session/shelf.ts";
import { started } from "./drafts.ts";

const [data = "", wanted = ""] = process.argv.slice(2);
const shelf = shelfOf({ data, cwd: "/home/ada/shop", sessionDir: null });
const got = withFreeName(shelf, wanted, (name) => {
  const log = openLog(sessionPath(shelf, newId()));
  if (!log.ok) throw new Error(JSON.stringify(log.failure));
  log.value.append(started(name, shelf.cwd));
  log.value.close();
  return name;
});
console.log(got);
