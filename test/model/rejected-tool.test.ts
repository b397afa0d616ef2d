// Which tool a refusal means: named or counted, and nothing where it means something else.
import { expect, test } from "bun:test";
import type { ProviderErrorKind } from "../../src/model/event.ts";
import { rejectedTool } from "../../src/model/rejected-tool.ts";

const SENT = ["read", "edit", "mcp__web.search"];

function rejected(message: string, kind: ProviderErrorKind = "bad_request"): string | null {
  const none = { retryAfterMs: null, status: 400, requestId: null };
  return rejectedTool({ kind, retryable: false, ...none, message }, SENT);
}

test.each([
  ["Invalid schema for function 'edit': array schema missing items", "edit"],
  ["tools.1.custom.input_schema: JSON schema is invalid", "edit"],
  ["Invalid 'tools[2].function.parameters': unknown keyword", "mcp__web.search"],
  ["* GenerateContentRequest.tools[0].function_declarations[1].parameters: missing field", "edit"],
  ['The tool "mcp__web.search" has a bad schema.', "mcp__web.search"],
  ["function read: parameters must be an object", "read"],
  ["tool at index 0 has no description", "read"],
  ["Invalid schema for function 'unknown'", null],
  ["tools.7.input_schema: too deep", null],
  ["messages.3: tool_use ids were found without tool_result blocks", null],
  ["please read the edit policy", null],
])("%s", (message, tool) => {
  expect(rejected(message)).toBe(tool);
});

test("only a refused request can mean a tool", () => {
  expect(rejected("Invalid schema for function 'edit'", "server")).toBeNull();
});
