// Which addresses are public: a table of the special ones, their borders, and their many spellings.
import { expect, test } from "bun:test";
import { isPublicAddress } from "../../src/wire/public-address.ts";
import { forSeeds } from "../support/random.ts";

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "168.63.129.17",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2001:4860:4860::8888",
  "2a00::1",
  "2001:200::",
  "2003::",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "64:ff9b::8.8.8.8",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  "0.0.0.0",
  "0.1.2.3",
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "10.0.0.0",
  "10.255.255.255",
  "100.64.0.0",
  "100.100.100.200",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.255",
  "169.254.169.254",
  "172.16.0.0",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "0:0:0:0:0:ffff:a00:1",
  "::ffff:169.254.169.254",
  "64:ff9b::10.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::1.1.1.1",
  "100::1",
  "2001::1",
  "2001:10::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:808:808::",
  "3fff::1",
  "3fff:fff::1",
  "4000::1",
  "fc00::1",
  "fd12:3456::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
])("%s is not", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "",
  "localhost",
  "example.com",
  "1.1.1",
  "1.1.1.1.1",
  "01.1.1.1",
  "256.1.1.1",
  "1.1.1.1 ",
  "0x8.8.8.8",
  "134744072",
  "2606",
  "2606:4700",
  "2606::4700::1",
  "1:2:3:4:5:6:7:8:9",
  "2606:4700:4700:0:0:0:0:1::",
  "2a00::12345",
  "2a00::g",
  "2a00::8.8.8",
  "2a00::8.8.8.8:1",
  "[2606:4700:4700::1111]",
  ":",
  ":::",
])("%j is no address, and so not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("every spelling of an address is judged alike", () => {
  forSeeds(3000, (random) => {
    const bytes = Array.from({ length: 16 }, () => (random.chance(0.4) ? 0 : random.int(256)));
    const groups = Array.from(
      { length: 8 },
      (_, at) => (bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0),
    );
    const full = groups.map((group) => group.toString(16).padStart(4, "0")).join(":");
    const short = new URL(`http://[${full}]/`).hostname.slice(1, -1);
    const dotted = `${full.split(":").slice(0, 6).join(":")}:${bytes.slice(12).join(".")}`;
    const judged = [full, short, full.toUpperCase(), dotted].map(isPublicAddress);
    expect([short, new Set(judged).size]).toEqual([short, 1]);
    const carried = [`::ffff:${bytes.slice(12).join(".")}`, bytes.slice(12).join(".")];
    expect(new Set(carried.map(isPublicAddress)).size).toBe(1);
  });
});
