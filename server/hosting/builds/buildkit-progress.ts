import { BinaryReader } from '@bufbuild/protobuf/wire';

// Progress of a build as BuildKit reports it:
// https://github.com/moby/buildkit/blob/v0.8.3/api/services/control/control.proto

/** Step of a build, as BuildKit reports it. BuildKit sends the step again whenever it changes. */
export interface Vertex {
  digest: string;
  /** Name of the step, such as `[web 2/3] RUN npm ci`. */
  name: string;
  hasStarted: boolean;
  /** True if the step's result was taken from the build cache. */
  isCached: boolean;
  /** Error message of the step; empty unless the step failed. */
  error: string;
}

/** Part of the output of a build step. */
export interface VertexLog {
  vertex: string;
  stream: number;
  bytes: Uint8Array;
}

export interface BuildProgress {
  vertexes: Vertex[];
  logs: VertexLog[];
}

/** Reads a StatusResponse, BuildKit's message about a build's progress; fields that are not needed are skipped. */
export function readProgress(message: Uint8Array): BuildProgress {
  const progress: BuildProgress = { vertexes: [], logs: [] };
  readFields(message, (field, reader) => {
    if (field === 1) progress.vertexes.push(readVertex(reader.bytes()));
    else if (field === 3) progress.logs.push(readLog(reader.bytes()));
    else return false;
    return true;
  });
  return progress;
}

function readVertex(message: Uint8Array): Vertex {
  const vertex: Vertex = { digest: '', name: '', hasStarted: false, isCached: false, error: '' };
  readFields(message, (field, reader) => {
    if (field === 1) vertex.digest = reader.string();
    else if (field === 3) vertex.name = reader.string();
    else if (field === 4) vertex.isCached = reader.bool();
    else if (field === 5) vertex.hasStarted = reader.bytes().length > 0;
    else if (field === 7) vertex.error = reader.string();
    else return false;
    return true;
  });
  return vertex;
}

function readLog(message: Uint8Array): VertexLog {
  const log: VertexLog = { vertex: '', stream: 0, bytes: new Uint8Array() };
  readFields(message, (field, reader) => {
    if (field === 1) log.vertex = reader.string();
    else if (field === 3) log.stream = Number(reader.int64());
    else if (field === 4) log.bytes = reader.bytes();
    else return false;
    return true;
  });
  return log;
}

/** Calls `read` for each field of a protobuf message; `read` returns false for a field that it leaves unread. */
function readFields(message: Uint8Array, read: (field: number, reader: BinaryReader) => boolean): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (!read(field, reader)) reader.skip(type, field);
  }
}
