import asyncio

from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

app = FastAPI()


class Answer(BaseModel):
    yes: int


@app.get("/guests/{name}")
async def guest(name: str, request: Request):
    return {"name": name, "address": request.client.host if request.client else None}


@app.post("/answers")
async def answer(answer: Answer):
    return {"got": answer.model_dump()}


@app.get("/events")
async def events():
    async def lines():
        for number in range(4):
            yield f"data: {number}\n\n"
            await asyncio.sleep(0.2)

    return StreamingResponse(lines(), media_type="text/event-stream")
