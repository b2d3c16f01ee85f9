import type { Command } from 'commander';
import { openServer } from '../server.ts';
import { beginAlone, type CommandOf } from './begin.ts';

export function defineMcpCommand(commandOf: CommandOf): void {
  commandOf('mcp')
    .option('--read-only', 'Only the tools that change nothing.')
    .action(async (_options, command: Command) => {
      const { options, output } = beginAlone<{ readOnly?: boolean }>(command);
      // The shell's completion defines this command too, without the time that loading the protocol takes.
      const { serveTools } = await import('../mcp/serve-tools.ts');
      // Each call reads the credentials again: after a sign-in, the assistant's next call works.
      serveTools(() => openServer(output, options), { isReadOnly: options.readOnly === true });
    });
}
