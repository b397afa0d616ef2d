// What an access token says of itself: the claims of a JSON web token, read without trust, to know its end and its owner.
import { isRecord, parseJson, type JsonObject } from "../base/json.ts";

/** Empty where the token is not of that form: many are opaque. */
export function claimsOf(token: string): JsonObject {
  const body = token.split(".")[1] ?? "";
  const value = parseJson(Buffer.from(body, "base64url").toString());
  return isRecord(value) ? value : {};
}

/** Milliseconds since 1970; null where the token does not say. */
export function expiryOf(token: string): number | null {
  const { exp } = claimsOf(token);
  return typeof exp === "number" ? exp * 1000 : null;
}
