import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { failureOf } from '../errors.ts';
import type { Server } from '../server.ts';

/** Answer of a tool: text, or data, which goes out both structured and as JSON for clients that only read text. */
type Answer = string | object;

/** Tool of the protocol, of which the SDK checks the arguments before `run`. */
interface Definition<Shape extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  /** Hints for the client, which decides by them when it asks the user first. */
  annotations: ToolAnnotations;
  input: Shape;
  /** Answers a call; the signal ends when the client cancels the call or goes away. */
  run: (
    server: Server,
    input: z.output<z.ZodObject<Shape, z.core.$strict>>,
    signal: AbortSignal,
  ) => Promise<Answer>;
}

export interface Tool {
  isReadOnly: boolean;
  register(server: McpServer, openServer: () => Promise<Server>): void;
}

/** Tools that change nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true };
/** Tools that add something with each call. */
export const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
/** Tools that replace what was there. */
export const REPLACES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true };

/** Makes a tool of its definition. Arguments that the definition does not have are refused. */
export function tool<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Tool {
  const { name, title, description, annotations, input, run } = definition;
  return {
    isReadOnly: annotations.readOnlyHint === true,
    register: (server, openServer) =>
      server.registerTool(
        name,
        { title, description, annotations, inputSchema: z.strictObject(input) },
        async (given, { mcpReq }) => {
          try {
            return resultOf(await run(await openServer(), given as never, mcpReq.signal));
          } catch (error) {
            return refusalOf(error);
          }
        },
      ),
  };
}

function resultOf(answer: Answer): CallToolResult {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer as Record<string, unknown>,
  };
}

/** Result of a failed call: the sentence that the command line prints, and what to do next. */
function refusalOf(error: unknown): CallToolResult {
  const { message, hint } = failureOf(error);
  return { isError: true, content: [{ type: 'text', text: hint ? `${message}\n${hint}` : message }] };
}
