// The flags of a run, described once: citty's definitions, from which parsing, help and docs are made.
import type { ArgsDef } from "citty";
import { EFFORTS } from "../model/model-name.ts";
import { MODES } from "../base/modes.ts";
import type { Extras } from "./arguments.ts";

export const OUTPUTS = ["text", "json", "stream-json"] as const;

/** In the order of the help. */
export const RUN_FLAGS = {
  print: {
    type: "boolean",
    alias: "p",
    description: "Answer and exit; the prompt may come from standard input",
  },
  continue: {
    type: "boolean",
    alias: "c",
    description: "Go on with the newest session of this folder",
  },
  resume: {
    type: "string",
    alias: "r",
    valueHint: "REF",
    description:
      "Go on with a session, by id, unique prefix or name; a picker when REF is left out",
  },
  name: {
    type: "string",
    valueHint: "NAME",
    description: "Name of the new session (default: asked for; -p: the time)",
  },
  "session-dir": {
    type: "string",
    valueHint: "DIR",
    description: "Keep sessions in this folder (default: the user's data folder)",
  },
  session: {
    type: "boolean",
    default: true,
    negativeDescription: "Write nothing: no session, no log",
  },

  model: {
    type: "string",
    alias: "m",
    valueHint: "[PROVIDER/]ID[:EFFORT]",
    description: "Model, with provider and effort if wanted",
  },
  provider: {
    type: "string",
    valueHint: "NAME",
    description: "Provider: openai, openrouter, ollama …, demo, echo, script:FILE",
  },
  "base-url": {
    type: "string",
    valueHint: "URL",
    description: "Endpoint of a compatible server, such as http://127.0.0.1:8080/v1",
  },
  "api-key": {
    type: "string",
    valueHint: "KEY",
    description: "Key for the provider (a variable such as OPENAI_API_KEY is safer)",
  },
  "insecure-tls": {
    type: "boolean",
    description: "Take any certificate of the provider's server, with a warning",
  },
  "reasoning-effort": {
    type: "enum",
    options: [...EFFORTS],
    description: "How hard the model thinks (default: its own)",
  },
  temperature: {
    type: "string",
    valueHint: "N",
    description: "Sampling temperature (default: the model's own)",
  },
  "max-output-tokens": {
    type: "string",
    valueHint: "N",
    description: "Limit of one reply (default: the model's own)",
  },

  mode: { type: "enum", options: [...MODES], description: "Permission mode (default: standard)" },
  "read-only": { type: "boolean", description: "Short for --mode readonly" },
  allow: {
    type: "string",
    valueHint: "RULE",
    description: "Allow, such as 'bash(npm test)'; may be repeated",
  },
  ask: { type: "string", valueHint: "RULE", description: "Ask before; may be repeated" },
  deny: { type: "string", valueHint: "RULE", description: "Deny, in every mode; may be repeated" },
  tools: {
    type: "string",
    valueHint: "LIST",
    description: "Only these tools, such as read,grep (default: the usual ones)",
  },
  "add-dir": {
    type: "string",
    valueHint: "DIR",
    description: "A further folder to work in; may be repeated",
  },
  cwd: {
    type: "string",
    alias: "C",
    valueHint: "DIR",
    description: "Work in this folder (default: the present one)",
  },

  "max-rounds": {
    type: "string",
    valueHint: "N",
    description: "Model replies a turn (default: 32, with -p 500)",
  },
  "max-cost": {
    type: "string",
    valueHint: "USD",
    description: "Stop before the next request once this is spent",
  },
  "max-time": {
    type: "string",
    valueHint: "DURATION",
    description: "Stop before the next request after so long, such as 90s or 10m",
  },

  "system-prompt": {
    type: "string",
    valueHint: "TEXT",
    description: "Instead of the built-in prompt",
  },
  "system-prompt-file": { type: "string", valueHint: "FILE", description: "The same from a file" },
  "append-system-prompt": {
    type: "string",
    valueHint: "TEXT",
    description: "After the built-in prompt",
  },

  output: {
    type: "enum",
    options: [...OUTPUTS],
    description: "Form of -p's output (default: text)",
  },
  json: { type: "boolean", description: "Short for --output json" },
  quiet: { type: "boolean", description: "Nothing on standard error unless it fails" },
  stdin: {
    type: "boolean",
    description: "With -p and a prompt: wait for standard input",
    negativeDescription: "Never read standard input",
  },
  color: { type: "boolean", default: true, negativeDescription: "No colours" },

  config: {
    type: "string",
    valueHint: "FILE",
    description: "Read these settings too, over the user's own",
  },
  setting: {
    type: "string",
    valueHint: "KEY=VALUE",
    description: "Any one setting, such as agent.max_rounds=10; may be repeated",
  },
  "log-level": {
    type: "enum",
    options: ["error", "debug"],
    description: "debug adds requests, replies (without secrets) and stack traces (default: error)",
  },
} as const satisfies ArgsDef;

export const RUN_EXTRAS: Extras = {
  repeatable: ["allow", "ask", "deny", "add-dir", "setting"],
  optional: ["resume"],
  negatable: ["config"],
  words: 1,
};
