"""Answers a case by the vendors' own clients, as the case says, and nothing else.

A case's input is {"api": "chat" | "messages" | "responses", "stream": bool,
"tools": bool}. The base URLs come from the environment, as the clients have it.
"""

import json
import sys

import anthropic
import openai

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
QUESTION = "What is the weather in Lille?"


def weather(arguments):
    """The tool: it has one answer, and fails where it is not asked for a city."""
    return "rain, 12 degrees in " + arguments["city"]


def chat(stream, tools):
    client = openai.OpenAI(max_retries=0)
    more = {}
    if tools:
        function = {"name": "weather", "parameters": SCHEMA, "strict": True}
        more["tools"] = [{"type": "function", "function": function}]
    messages = [{"role": "user", "content": QUESTION}]
    while True:
        if stream:
            with client.chat.completions.stream(model="m-1", messages=messages, **more) as events:
                for _ in events:
                    pass
                message = events.get_final_completion().choices[0].message
        else:
            message = client.chat.completions.create(model="m-1", messages=messages, **more).choices[0].message
        if not message.tool_calls:
            return message.content
        calls = [
            {"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}}
            for c in message.tool_calls
        ]
        messages.append({"role": "assistant", "content": message.content, "tool_calls": calls})
        for call in message.tool_calls:
            found = weather(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": found})


def responses(stream, tools):
    client = openai.OpenAI(max_retries=0)
    more = {}
    if tools:
        more["tools"] = [{"type": "function", "name": "weather", "parameters": SCHEMA, "strict": True}]
    said = [{"role": "user", "content": QUESTION}]
    while True:
        if stream:
            with client.responses.stream(model="m-1", input=said, **more) as events:
                for _ in events:
                    pass
                response = events.get_final_response()
        else:
            response = client.responses.create(model="m-1", input=said, **more)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return response.output_text
        for call in calls:
            said.append(
                {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            )
            found = weather(json.loads(call.arguments))
            said.append({"type": "function_call_output", "call_id": call.call_id, "output": found})


def messages(stream, tools):
    client = anthropic.Anthropic(max_retries=0)
    more = {"model": "m-1", "max_tokens": 200}
    if tools:
        more["tools"] = [{"name": "weather", "input_schema": SCHEMA}]
    said = [{"role": "user", "content": QUESTION}]
    while True:
        if stream:
            with client.messages.stream(messages=said, **more) as events:
                for _ in events:
                    pass
                message = events.get_final_message()
        else:
            message = client.messages.create(messages=said, **more)
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in message.content if block.type == "text")
        content = [{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input} for c in calls]
        said.append({"role": "assistant", "content": content})
        found = [{"type": "tool_result", "tool_use_id": c.id, "content": weather(c.input)} for c in calls]
        said.append({"role": "user", "content": found})


def main():
    case = json.load(sys.stdin)["input"]
    ask = {"chat": chat, "responses": responses, "messages": messages}[case["api"]]
    print(json.dumps({"text": ask(case["stream"], case["tools"])}))


main()
