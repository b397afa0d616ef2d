// How a provider is spoken to: its wire and its transport, by the settings, else by the address it is reached at.
import { invalid, ok, type Result } from "../base/failure.ts";
import type { Preset } from "../model/providers.ts";
import { isWire, WIRES } from "../model/wire-names.ts";

type Table = {
  wire?: string | undefined;
  transport?: Preset["transport"] | undefined;
};

/** `isItsOwn`: the address is the provider's, and not that of a server which imitates it. */
export function speaking(preset: Preset, isItsOwn: boolean, table: Table): Result<Preset> {
  const usual = (isItsOwn ? null : preset.elsewhere) ?? preset.wire;
  const wire = table.wire ?? usual;
  if (!isWire(wire)) {
    return invalid(
      `[providers.${preset.name}] wire = ${JSON.stringify(wire)}: there is no such wire (known: ${WIRES.join(", ")})`,
    );
  }
  // Few servers but the provider's own open a WebSocket: it is tried elsewhere only when asked for.
  const transport = table.transport ?? (isItsOwn ? preset.transport : undefined) ?? "http";
  return ok({ ...preset, wire, transport });
}
