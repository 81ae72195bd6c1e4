"""Answers one question of a customer from the shop's help centre.

A program as teams have them: it asks a model, does what the model calls for,
and asks again with what came of it, until there is an answer. It reads a case
as JSON on stdin and prints the answer as JSON on stdout. Where the model and
the help centre are it learns from OPENAI_BASE_URL and HELP_URL, so it does not
know whether a model, a recording or a canned answer speaks to it, and nothing
in it is there for docket's sake.
"""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

HERE = pathlib.Path(__file__).parent
MODEL = "acorn-large-2026-05"
MOST_TURNS = 6  # a model that searches for ever is wrong, and costs
SESSION = uuid.uuid4().hex


def fetch(url, body=None):
    """Returns the JSON behind a URL; with a body, of what that posts."""
    request = urllib.request.Request(url)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", "Bearer " + os.environ.get("OPENAI_API_KEY", ""))
    try:
        with urllib.request.urlopen(request, timeout=50) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code} of {request.selector}: {error.read(500).decode(errors='replace')}")
    except OSError as error:
        sys.exit(f"{request.host} cannot be reached: {error}")


def ask(messages, tools):
    """Returns the message that the model goes on with."""
    answer = fetch(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        {"model": MODEL, "temperature": 0.3, "max_tokens": 400, "messages": messages, "tools": tools},
    )
    return answer["choices"][0]["message"]


def search_help(query, limit=3):
    # The help centre counts visits by session; it finds the same without one.
    wanted = urllib.parse.urlencode({"q": query, "limit": limit, "session": SESSION})
    found = fetch(f"{os.environ['HELP_URL']}/articles?{wanted}")
    return found["articles"] or "no article matches"


def hand_over(reason):
    # The queue of the support team stands here in the shop's own program.
    return f"queued for a person: {reason}"


def call(tool_call):
    """Does what the model calls for, and returns the message that tells it."""
    name, arguments = tool_call["function"]["name"], tool_call["function"]["arguments"]
    does = {"search_help": search_help, "hand_over": hand_over}
    try:
        result = does[name](**json.loads(arguments))
    except (KeyError, TypeError, ValueError) as error:  # the model may do better when it is told
        result = f"{name} was not called: {error!r}"
    return {"role": "tool", "tool_call_id": tool_call["id"], "content": json.dumps(result, ensure_ascii=False)}


def answer(question):
    tools = json.loads((HERE / "tools.json").read_text("utf-8"))
    messages = [
        {"role": "system", "content": (HERE / "prompt.md").read_text("utf-8")},
        {"role": "user", "content": question},
    ]
    for _ in range(MOST_TURNS):
        message = ask(messages, tools)
        if not message.get("tool_calls"):
            return message["content"]
        messages.append(message)
        messages += map(call, message["tool_calls"])
    sys.exit(f"no answer after {MOST_TURNS} turns")


if __name__ == "__main__":
    case = json.load(sys.stdin)
    json.dump({"text": answer(case["input"]["question"])}, sys.stdout)
