// Fields of replies, read loosely: one that is absent, null or of the wrong type takes its empty value.
import * as v from "valibot";

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

export const text = v.fallback(v.nullable(v.string(), ""), "");
export const flag = v.fallback(v.nullable(v.boolean(), false), false);
export const maybeAmount = v.fallback(v.nullable(amount, null), null);
export const anything = v.optional(v.unknown());

type Part<T extends v.ObjectEntries> = v.SchemaWithFallback<
  v.NullableSchema<v.ObjectSchema<T, undefined>, null>,
  null
>;
type Parts<T extends v.ObjectEntries> = v.SchemaWithFallback<
  v.NullableSchema<v.ArraySchema<Part<T>, undefined>, readonly []>,
  []
>;

/** A field that is an object of this shape, else null. */
export function part<const T extends v.ObjectEntries>(entries: T): Part<T> {
  return v.fallback(v.nullable(v.object(entries), null), null);
}

/** A field that is a list of such objects; null stands for an item that is none. */
export function parts<const T extends v.ObjectEntries>(entries: T): Parts<T> {
  return v.fallback(v.nullable(v.array(part(entries)), []), []);
}
