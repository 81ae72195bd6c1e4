// Answers a case by the vendors' own clients, as the case says, and nothing else.
//
// A case's input is {"api": "chat" | "messages" | "responses", "stream": bool,
// "tools": bool}. The base URLs come from the environment, as the clients have it.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const schema = {
  type: "object",
  properties: {city: {type: "string"}},
  required: ["city"],
  additionalProperties: false,
};
const question = "What is the weather in Lille?";

// The tool has one answer, and fails where it is not asked for a city.
function weather({city}) {
  if (typeof city !== "string") throw new Error("no city was asked for");
  return "rain, 12 degrees in " + city;
}

async function chat(stream, tools) {
  const client = new OpenAI({maxRetries: 0});
  const request = {model: "m-1", messages: [{role: "user", content: question}]};
  if (tools) request.tools = [{type: "function", function: {name: "weather", parameters: schema, strict: true}}];
  for (;;) {
    const whole = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    const message = whole.choices[0].message;
    if (!message.tool_calls?.length) return message.content;
    const calls = message.tool_calls.map(({id, function: f}) => ({id, type: "function", function: {name: f.name, arguments: f.arguments}}));
    request.messages.push({role: "assistant", content: message.content, tool_calls: calls});
    for (const call of calls) {
      request.messages.push({role: "tool", tool_call_id: call.id, content: weather(JSON.parse(call.function.arguments))});
    }
  }
}

async function responses(stream, tools) {
  const client = new OpenAI({maxRetries: 0});
  const request = {model: "m-1", input: [{role: "user", content: question}]};
  if (tools) request.tools = [{type: "function", name: "weather", parameters: schema, strict: true}];
  for (;;) {
    const response = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    const calls = response.output.filter((item) => item.type === "function_call");
    if (!calls.length) return response.output_text;
    for (const {call_id, name, arguments: text} of calls) {
      request.input.push({type: "function_call", call_id, name, arguments: text});
      request.input.push({type: "function_call_output", call_id, output: weather(JSON.parse(text))});
    }
  }
}

async function messages(stream, tools) {
  const client = new Anthropic({maxRetries: 0});
  const request = {model: "m-1", max_tokens: 200, messages: [{role: "user", content: question}]};
  if (tools) request.tools = [{name: "weather", input_schema: schema}];
  for (;;) {
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    const calls = message.content.filter((block) => block.type === "tool_use");
    if (!calls.length) return message.content.filter((block) => block.type === "text").map((block) => block.text).join("");
    request.messages.push({role: "assistant", content: calls.map(({id, name, input}) => ({type: "tool_use", id, name, input}))});
    request.messages.push({role: "user", content: calls.map((call) => ({type: "tool_result", tool_use_id: call.id, content: weather(call.input)}))});
  }
}

let text = "";
for await (const chunk of process.stdin) text += chunk;
const {api, stream, tools} = JSON.parse(text).input;
const ask = {chat, responses, messages}[api];
console.log(JSON.stringify({text: await ask(stream, tools)}));
