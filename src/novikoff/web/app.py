"""The application: routes, and what errors become."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from novikoff import __version__
from novikoff.web import pages, questions, replies
from novikoff.web.guard import LOOPBACK, Guard, error_body
from novikoff.web.pool import BrokenError, BusyError, Pool, RefusedError, TooSlowError
from novikoff.web.presets import presets

_TROUBLE: dict[int | str, dict[str, Any]] = {
    status: {"model": replies.Trouble, "description": text}
    for status, text in {
        400: "The request is malformed.",
        403: "It comes from elsewhere.",
        408: "It arrived too slowly.",
        413: "It is too large.",
        415: "It is not JSON.",
        422: "It asks for something that cannot be done.",
        500: "The server has made a mistake.",
        503: "All workers are busy.",
        504: "The answer would take too long.",
    }.items()
}
_KINDS = {404: "not_found", 405: "not_found"}


def create_app(
    start: replies.Start | None = None, *, pool: Pool | None = None, hosts: Any = LOOPBACK
) -> Guard:
    """The playground as an ASGI application.

    Parameters
    ----------
    start : Start, optional
        What the page opens with.
    pool : Pool, optional
        Who computes; closed when the application ends.
    hosts : iterable of str
        The names that requests may call the server by.
    """
    pool = pool or Pool()
    begin = start or replies.Start()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        pool.start()
        yield
        pool.close()

    app = FastAPI(
        title="novikoff playground", version=__version__, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
    )  # fmt: skip
    _add_errors(app)
    _add_pages(app)
    _add_questions(app, pool)

    @app.get("/api/presets", responses=_only(400, 403))
    def get_presets() -> replies.Presets:
        """Points to begin with, challenges, limits."""
        return presets()

    @app.get("/api/start", responses=_only(400, 403))
    def get_start() -> replies.Start:
        """What the server was started with."""
        return begin

    # Around everything, the answers to its own mistakes included.
    return Guard(app, hosts=hosts, seconds=pool.seconds)


def _only(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: _TROUBLE[status] for status in statuses}


def _add_questions(app: FastAPI, pool: Pool) -> None:
    """The questions that are computed; see `jobs`."""

    def ask(job: str, question: BaseModel) -> Response:
        try:
            body = pool.ask(job, question.model_dump_json())
        except RefusedError as error:
            return _error(422, "invalid", str(error))
        except TooSlowError:
            message = (
                f"This takes longer than {pool.seconds:g} seconds: use fewer points or epochs."
            )
            return _error(504, "too_slow", message)
        except BusyError:
            return _error(503, "busy", "All workers are busy: try again in a moment.")
        except BrokenError as error:
            return _error(500, "bug", f"A mistake in novikoff, please report it. {error}")
        return Response(body, media_type="application/json")

    @app.post("/api/run", response_model=replies.RunAnswer, responses=_TROUBLE)
    def run(question: questions.RunQuestion) -> Response:
        """Learn from points, and say everything about it."""
        return ask("run", question)

    @app.post("/api/known", response_model=replies.KnownAnswer, responses=_TROUBLE)
    def known(question: questions.KnownQuestion) -> Response:
        """What is known about points and a run on them."""
        return ask("known", question)

    @app.post("/api/field", response_model=replies.FieldAnswer, responses=_TROUBLE)
    def field(question: questions.FieldQuestion) -> Response:
        """What is predicted where, on a grid."""
        return ask("field", question)

    @app.post("/api/table", response_model=replies.TableAnswer, responses=_TROUBLE)
    def table(question: questions.TableQuestion) -> Response:
        """The columns of CSV text and, once they are chosen, its points."""
        return ask("table", question)

    @app.post("/api/check", response_model=replies.CheckAnswer, responses=_TROUBLE)
    def check(question: questions.CheckQuestion) -> Response:
        """The first wrong row of a table made by hand."""
        return ask("check", question)

    @app.post("/api/export", response_model=replies.ExportAnswer, responses=_TROUBLE)
    def export(question: questions.ExportQuestion) -> Response:
        """A run as a file."""
        return ask("export", question)

    @app.post("/api/challenge", response_model=replies.ChallengeAnswer, responses=_TROUBLE)
    def challenge(question: questions.ChallengeQuestion) -> Response:
        """Whether a challenge is solved."""
        return ask("challenge", question)


def _add_pages(app: FastAPI) -> None:
    def serve(path: str, request: Request) -> Response:
        found = pages.find(path)
        if found is None:
            return _error(404, "not_found", "There is no such page.")
        if request.headers.get("if-none-match") == found.headers["etag"]:
            return Response(status_code=304, headers=found.headers)
        return Response(found.content, headers=found.headers)

    @app.get("/", include_in_schema=False)
    def index(request: Request) -> Response:
        return serve("index.html", request)

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        return Response(status_code=204)

    @app.get("/static/{path:path}", include_in_schema=False)
    def static(path: str, request: Request) -> Response:
        return serve(path, request)


# ------------------------------------------------------------------------------ errors


def _error(status: int, kind: str, message: str, field: str | None = None) -> Response:
    body = error_body(kind, message, field)
    return Response(body, status_code=status, media_type="application/json")


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        field = _field(first["loc"])
        return _error(422, "invalid", f"{field or 'The request'}: {first['msg']}.", field)

    @app.exception_handler(HTTPException)
    def unknown(_: Request, error: HTTPException) -> Response:
        kind = _KINDS.get(error.status_code, "invalid")
        answer = _error(error.status_code, kind, str(error.detail))
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer

    @app.exception_handler(Exception)
    def bug(_: Request, error: Exception) -> Response:
        name = type(error).__name__
        return _error(500, "bug", f"A mistake in novikoff, please report it. {name}: {error}")


def _field(place: tuple[int | str, ...]) -> str | None:
    """`points[3].x` for ("body", "points", 3, "x")."""
    text = ""
    for part in place[1:]:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else str(part)
    return text or None
