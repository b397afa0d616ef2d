// Whether anybody answers at all: tells a server that thinks from one that cannot be reached.

export type Door = { hostname: string; port: number };

/** The door that a request knocks at first: the proxy's where there is one. */
export function doorOf(url: string, proxy: string | null): Door | null {
  const target = URL.parse(proxy ?? url);
  if (target === null) return null;
  const usual = target.protocol === "https:" ? 443 : 80;
  const port = target.port === "" ? usual : Number(target.port);
  return { hostname: target.hostname.replace(/^\[|\]$/g, ""), port };
}

/** True as soon as a connection was accepted, false where it was refused; it stays pending while nobody answers. */
export async function knock(door: Door): Promise<boolean> {
  try {
    const socket = await Bun.connect({ ...door, socket: { data: () => undefined } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
