// The two files of the AWS tools, `config` and `credentials`: what they say of one profile.

export type Section = ReadonlyMap<string, string>;
export type Sections = ReadonlyMap<string, Section>;

/** Sections by their whole heading. Keys in lower case; values that go on in indented lines are not among what is needed. */
export function sectionsIn(text: string): Sections {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1];
    const [, key, value] = /^([^\s#;=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (heading !== undefined) {
      const name = heading.replace(/\s+/g, " ");
      section = sections.get(name) ?? new Map<string, string>();
      sections.set(name, section);
    } else if (key !== undefined && value !== undefined) {
      section.set(key.toLowerCase(), value.replace(/\s+[#;].*$/, ""));
    }
  }
  return sections;
}

export type AwsFiles = { config: Sections; credentials: Sections };

/** Null where neither file knows it. What both say, the credentials say better. */
export function profileIn({ config, credentials }: AwsFiles, name: string): Section | null {
  const plain = name === "default" ? config.get(name) : undefined;
  const configured = config.get(`profile ${name}`) ?? plain;
  const keys = credentials.get(name);
  if (configured === undefined && keys === undefined) return null;
  return new Map([...(configured ?? []), ...(keys ?? [])]);
}

/** Where a profile signs in through the browser; the tools' own store has its token under the SHA-1 of `name`. */
export type Sso = { name: string; region: string; accountId: string; role: string };

export function ssoOf({ config }: AwsFiles, profile: Section): Sso | null {
  const session = profile.get("sso_session");
  const table = session === undefined ? profile : config.get(`sso-session ${session}`);
  const name = session ?? profile.get("sso_start_url");
  const region = table?.get("sso_region");
  const accountId = profile.get("sso_account_id");
  const role = profile.get("sso_role_name");
  if (name === undefined || region === undefined) return null;
  return accountId === undefined || role === undefined ? null : { name, region, accountId, role };
}
