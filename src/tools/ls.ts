// The ls tool: one level of a folder.
import * as v from "valibot";
import { invalid, ok } from "../base/failure.ts";
import { kindBehind, missingPath } from "../host/files.ts";
import { defineArguments } from "./arguments.ts";
import { listFolder, listingText, MAX_ENTRIES } from "./listing.ts";
import { namedPath } from "./named-path.ts";
import { shownPath } from "./names.ts";
import type { Tool } from "./tool.ts";

const args = defineArguments(
  "ls",
  v.strictObject({
    path: v.optional(v.string()),
    limit: v.optional(v.pipe(v.number(), v.integer())),
  }),
);

export const lsTool: Tool = {
  name: "ls",
  summary: "List one folder, dotfiles too",
  parameters: args.parameters,
  tier: "cold",
  prepare(input, { cwd }) {
    const parsed = args.parse(input);
    if (!parsed.ok) return parsed;
    const { path: given = ".", limit = MAX_ENTRIES } = parsed.value;
    const path = namedPath(given, cwd);
    return ok({
      touches: [{ kind: "read", path }],
      title: `ls ${shownPath(path, cwd)}`,
      async run(kit) {
        const kind = kindBehind(path);
        if (kind === null) return missingPath(path);
        if (kind !== "folder") return invalid(`${path} is a ${kind}, not a folder; use read`);
        const most = kit.unlimited && limit === 0 ? Infinity : Math.min(limit, MAX_ENTRIES);
        const listing = listFolder(path, most > 0 ? most : MAX_ENTRIES);
        if (!listing.ok) return listing;
        const { lines, total } = listing.value;
        const left = total - lines.length;
        return ok({
          parts: [{ type: "text", text: listingText(listing.value) }],
          isError: false,
          summary: total === 1 ? "1 entry" : `${total} entries`,
          ...(left > 0 ? { truncated: { bytes: null, lines: left, file: null } } : {}),
        });
      },
    });
  },
};
