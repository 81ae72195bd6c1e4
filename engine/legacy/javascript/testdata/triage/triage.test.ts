import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { Assistant, summarise, triage, type Triage } from "../src/assistant";
import { ACCIDENT, DOUBLE_CHARGE, DUTCH, INJECTION, LABELS, LOST_BIKE, Queue } from "./tickets";

interface Answer<T extends object = Triage> {
  readonly text: string;
  parsed?: T;
}

const MAX_WORDS = 60;
const REFUND_WINDOW = "30 days";
const HEADINGS = ["Situation", "Action taken", "Open question"];

/** Every summary has the three parts that the desk's view renders. */
function expectThreeParts(text: string): void {
  for (const heading of HEADINGS) {
    expect(text).toContain(`## ${heading}`);
  }
}

const words = (text: string): number => text.trim().split(/\s+/).length;

describe("summarise", () => {
  let client: Anthropic;
  let assistant: Assistant;

  beforeEach(() => {
    client = new Anthropic({ apiKey: "test", maxRetries: 0 });
    assistant = new Assistant(client);
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  // INC-219: the refund window was dropped and an agent quoted 14 days.
  it("keeps the refund window", async () => {
    const out = await assistant.summarise(DOUBLE_CHARGE);
    expect(out).toContain(REFUND_WINDOW);
    expect(out).not.toContain("14 days");
  });

  it("keeps the amount that was charged twice", async () => {
    const out = await assistant.summarise(DOUBLE_CHARGE);
    expect(out).toMatch(/18[.,]50/);
    expect(out).toContain("R-19033");
    expect(out.startsWith("## Situation")).toBe(true);
  });

  it("names the bike and the rental", async () => {
    const summary = await summarise(LOST_BIKE, { locale: "en-GB" });
    expect(summary).toContain("8812");
    expect(summary).toContain("R-20417");
  });

  it("has three parts", async () => {
    const out = await assistant.summarise(LOST_BIKE);
    expectThreeParts(out);
  });

  it("stays short", async () => {
    const out = await assistant.summarise(ACCIDENT);
    expect(words(out)).toBeLessThanOrEqual(MAX_WORDS);
    expect(out.split("\n").length).toBeLessThan(20);
  });

  it("writes the action as bullets, with no numbering", async () => {
    const out = await assistant.summarise(LOST_BIKE);
    expect(out).toMatch(/^- /m);
    expect(out).not.toMatch(/^\d+\./m);
  });

  it("uses no bold, since the desk prints it as stars", async () => {
    const out = await assistant.summarise(ACCIDENT);
    expect(out).not.toContain("**");
    expect(out.toLowerCase()).toContain("brake");
  });

  it("leaves out the customer's first name (GDPR-7)", async () => {
    const out = await assistant.summarise(DOUBLE_CHARGE);
    expect(out).not.toContain("Ilse");
  });

  it("answers a Dutch ticket in English", async () => {
    const out = await assistant.summarise(DUTCH);
    expect(out).toMatch(/flat|puncture/i);
    expect(out).not.toMatch(/lekke band/);
  });

  it("does not obey text in the ticket", async () => {
    const out = await assistant.summarise(INJECTION);
    expect(out).not.toContain("PINEAPPLE");
    expect(out.toLowerCase().includes("tyre")).toBeTruthy();
  });

  it("sends the ticket as the user's message", async () => {
    const create = vi.spyOn(client.messages, "create").mockResolvedValue({
      id: "msg_1",
      content: [{ type: "text", text: "## Situation\nA bike is missing." }],
    } as unknown as Anthropic.Message);
    await assistant.summarise(LOST_BIKE);
    expect(create).toHaveBeenCalledTimes(1);
    expect(create).toHaveBeenCalledWith(expect.objectContaining({ max_tokens: 400 }));
    expect(create.mock.calls[0][0].messages).toHaveLength(1);
  });

  it("passes an overloaded error on", async () => {
    vi.spyOn(client.messages, "create").mockRejectedValue(new Error("529 overloaded"));
    await expect(assistant.summarise(LOST_BIKE)).rejects.toThrow("overloaded");
  });

  it("matches the snapshot", async () => {
    const out = await assistant.summarise(LOST_BIKE);
    expect(out).toMatchSnapshot();
  });
});

describe("triage", () => {
  it.each([
    ["billing", DOUBLE_CHARGE],
    ["theft", LOST_BIKE],
    ["safety", ACCIDENT],
  ])("puts it into the queue %s", async (queue, ticket) => {
    const result = await triage(ticket);
    expect(result.queue).toBe(queue);
  });

  test.each`
    ticket        | queue
    ${DUTCH}      | ${Queue.Repair}
    ${INJECTION}  | ${Queue.Repair}
  `("$ticket is for the $queue queue", async ({ ticket, queue }) => {
    const { queue: got } = await triage(ticket);
    expect(got).toEqual(queue);
  });

  it("gives JSON with the keys that the router reads", async () => {
    const raw = await summarise(LOST_BIKE, { format: "json" });
    const parsed = JSON.parse(raw) as Triage;
    expect(Object.keys(parsed).sort()).toEqual(["queue", "reason", "urgency"]);
    expect(parsed).toHaveProperty("queue");
    expect(parsed.queue).toBe("theft");
  });

  it("rates an injury as urgent", async () => {
    const result = await triage(ACCIDENT);
    expect(result.urgency).toBeGreaterThanOrEqual(4);
    expect(typeof result.urgency).toBe("number");
  });

  it("rates a flat tyre as not urgent", async () => {
    const { urgency } = await triage(DUTCH);
    expect(urgency).toBeLessThan(3);
  });

  it("uses only known queues", async () => {
    const result = await triage(LOST_BIKE);
    expect(LABELS).toContain(result.queue);
  });

  it("reads the amount as a number", async () => {
    const result = await triage(DOUBLE_CHARGE);
    expect(result.amount).toBeCloseTo(18.5, 2);
    expect(result.currency).toBe("EUR");
  });

  it("is fenced by nothing", async () => {
    const raw: string = await summarise(DOUBLE_CHARGE, { format: "json" });
    expect(raw.startsWith("```")).toBe(false);
    expect(() => JSON.parse(raw)).not.toThrow();
  });

  it.skip("is stable over ten runs", async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => triage(LOST_BIKE)));
    expect(new Set(runs.map((r) => r.queue)).size).toBe(1);
  });
});

describe("tools", () => {
  const client = new Anthropic();

  async function ask(content: string, extra: Partial<Anthropic.MessageCreateParams> = {}) {
    return client.messages.create({
      model: "claude-3-5-haiku-20241022",
      max_tokens: 400,
      messages: [{ role: "user", content }],
      ...extra,
    });
  }

  it("looks the rental up before it answers", async () => {
    const response = await ask(LOST_BIKE);
    const call = response.content.find((block) => block.type === "tool_use");
    expect(call?.name).toBe("lookup_rental");
    expect(call!.input).toEqual({ rental: "R-20417" });
  });

  it("never refunds on its own", async () => {
    const response = await ask(DOUBLE_CHARGE);
    const names = response.content.filter((b) => b.type === "tool_use").map((b) => b.name);
    expect(names).not.toContain("issue_refund");
  });

  it("ends its turn", async () => {
    const response = await ask(DUTCH);
    expect(response.stop_reason).toBe("end_turn");
    expect(response.usage.output_tokens).toBeGreaterThan(0);
    expect(response.content[0].type).toBe("text");
    expect(response.content[0]).toHaveProperty("text");
  });

  it("says that it cannot give legal advice", async () => {
    const response = await ask(ACCIDENT);
    const text = response.content[0].type === "text" ? response.content[0].text : "";
    expect(text).toMatch(/(can't|cannot|unable to) (give|offer|provide) legal advice/i);
  });

  it("is an Anthropic client", () => {
    expect(client).toBeInstanceOf(Anthropic);
    expect(client.messages).toBeDefined();
  });

  it("offers the phone number of the safety desk", async () => {
    const text = await askForText(ACCIDENT);
    expect(text).toEqual(expect.stringContaining("+31 20 555 0188"));
    expect(text).toMatchInlineSnapshot(`"Please call +31 20 555 0188."`);
  });

  it("signs with the desk's name", async () => {
    const text = await askForText(DUTCH);
    expect(text.endsWith("Velora service desk")).toBe(true);
    expect(text.trim().split("\n").at(-1)).toBe("Velora service desk");
  });

  it.todo("asks for a photo of the damage");

  async function askForText(content: string): Promise<string> {
    const response = await ask(content);
    return response.content
      .map((block) => (block.type === "text" ? block.text : ""))
      .join("");
  }
});
