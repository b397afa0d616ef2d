// The way to sign in to a provider, loaded when it is needed.
import { missing, ok, type Result } from "../base/failure.ts";
import { SIGN_INS, type Way } from "./credentials-way.ts";

export async function wayOf(provider: string): Promise<Result<Way>> {
  switch (provider) {
    case "codex":
      return ok((await import("./credentials-codex.ts")).codexWay);
    case "github-copilot":
      return ok((await import("./credentials-copilot.ts")).copilotWay);
    default:
      return missing(`${provider} has no sign-in: only ${SIGN_INS.join(" and ")} have one`);
  }
}
