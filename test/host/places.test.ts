// Where burin keeps its files.
import { describe, expect, test } from "bun:test";
import { homedir } from "node:os";
import { homeFolder, places, projectSlug } from "../../src/host/places.ts";

describe("places", () => {
  test("are the XDG folders under HOME", () => {
    expect(places({ HOME: "/home/ada" })).toEqual({
      home: "/home/ada",
      config: "/home/ada/.config/burin",
      data: "/home/ada/.local/share/burin",
      state: "/home/ada/.local/state/burin",
      cache: "/home/ada/.cache/burin",
    });
  });

  test("follow the XDG variables that are absolute paths", () => {
    const env = { HOME: "/h", XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "d", XDG_STATE_HOME: "" };
    expect(places(env)).toEqual({
      home: "/h",
      config: "/c/burin",
      data: "/h/.local/share/burin",
      state: "/h/.local/state/burin",
      cache: "/h/.cache/burin",
    });
  });

  test("are all under BURIN_HOME where that is set", () => {
    expect(places({ HOME: "/h", XDG_CONFIG_HOME: "/c", BURIN_HOME: "/b" })).toEqual({
      home: "/h",
      config: "/b/config",
      data: "/b/data",
      state: "/b/state",
      cache: "/b/cache",
    });
    expect(places({ HOME: "/h", BURIN_HOME: "" }).config).toBe("/h/.config/burin");
  });
});

describe("the home folder", () => {
  test.each([{}, { HOME: "" }])("without HOME (%j) is what the system says", (env) => {
    expect(homeFolder(env)).toBe(homedir());
    expect(places(env).data).toBe(`${homedir()}/.local/share/burin`);
  });

  test("is absolute and ends in no slash", () => {
    expect(homeFolder({ HOME: "/home/ada/" })).toBe("/home/ada");
  });
});

describe("projectSlug", () => {
  test("is readable, the same for the same folder and different for any other", () => {
    expect(projectSlug("/home/ada/shop")).toMatch(/^shop-[0-9a-f]{10}$/);
    expect(projectSlug("/home/ada/shop/")).toBe(projectSlug("/home/ada/shop"));
    expect(projectSlug("/srv/shop")).not.toBe(projectSlug("/home/ada/shop"));
  });

  test("is a plain folder name whatever the folder is called", () => {
    expect(projectSlug("/")).toMatch(/^root-[0-9a-f]{10}$/);
    expect(projectSlug("/a/...")).toMatch(/^root-[0-9a-f]{10}$/);
    expect(projectSlug("/a/.config")).toMatch(/^config-[0-9a-f]{10}$/);
    expect(projectSlug("/a/my\n$(shop) größe")).toMatch(/^my-shop-größe-[0-9a-f]{10}$/);
    expect(projectSlug(`/a/${"x".repeat(300)}`)).toMatch(/^x{40}-[0-9a-f]{10}$/);
  });
});
