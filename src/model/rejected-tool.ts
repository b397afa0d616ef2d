// Which tool a provider means when it refuses a request because of one tool's schema.
import type { ProviderError } from "./event.ts";

/** `function 'edit'`, `tool "edit"`, `tools.edit`: a name right after what says that it is one. */
const NAMED = /\b(?:function|tool)s?(?:\s+(?:named|called))?\s*[:.]?\s*['"`‘“]?([\w.-]+)/gi;
/** `tools.3.custom.input_schema`, `tools[0].function_declarations[3]`, `tool at index 3`. */
const DECLARED = /\bfunction_?declarations\[(\d+)\]/i;
const ABOUT_TOOLS = /schema|parameter|declaration|tool|function/i;
const COUNTED = /\btools?(?:\[|\.|\s+(?:at\s+)?(?:index|number)\s+)(\d+)/i;

/**
 * The name of the tool, which must be one that was sent; null where the failure is another one. An index counts the
 * tools in the order of the request.
 */
export function rejectedTool(error: ProviderError, sent: readonly string[]): string | null {
  const { kind, message } = error;
  if (kind !== "bad_request" || !ABOUT_TOOLS.test(message)) return null;
  const index = DECLARED.exec(message)?.[1] ?? COUNTED.exec(message)?.[1];
  if (index !== undefined) return sent[Number(index)] ?? null;
  const named = [...message.matchAll(NAMED)].map(([, name = ""]) => name.replace(/[.]$/, ""));
  return named.find((name) => sent.includes(name)) ?? null;
}
