"""Fixtures of the summariser's tests."""

import os

import pytest

from desk.agent import Agent
from desk.client import make_client


@pytest.fixture(scope="session")
def client():
    return make_client(api_key=os.environ.get("DESK_KEY", "none"))


@pytest.fixture
def agent(client):
    return Agent(client, tools=["lookup_order", "issue_refund"])
