"""Serves the coding service of flyto-ai 0.20 with a scripted implementer: over HTTP, and prints its port, or MCP on stdio."""

import json
import sys
from pathlib import Path

from flyto_ai.coding import FlytoCodingAgent
from flyto_ai.coding.http_server import build_http_server
from flyto_ai.coding.mcp_server import CodingMCPServer, serve_stdio
from flyto_ai.coding.service import CodingService

folder, workspace, token = Path(sys.argv[1]), sys.argv[2], sys.argv[3]


class Scripted:
    """Writes one file in each round, as the demo runtime does."""

    rounds = 0

    async def chat(self, **given):
        Scripted.rounds += 1
        asked = {"path": "made.txt", "content": f"hello {Scripted.rounds}", "overwrite": True}
        await given["dispatch_fn"]("coding_write_file", asked)
        return "Done.", [], 1, {"total_tokens": 5}


folder.mkdir(mode=0o700, parents=True, exist_ok=True)
service = CodingService(
    lambda store: FlytoCodingAgent(Scripted(), store=store),
    state_root=str(folder / "state"),
    workspace_roots=(workspace,),
    workspace_registry_root=str(folder / "registry"),
    require_codex_audit=True,
    max_rework_rounds=1,
)
if sys.argv[4:] == ["mcp"]:
    serve_stdio(CodingMCPServer(service, "lab"))
else:
    server = build_http_server(service, tenant_id="lab", auth_token=token, port=0)
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    server.serve_forever()
