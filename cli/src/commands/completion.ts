import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { rememberedApplications } from '../config/application-names.ts';
import { namesOfProfiles } from '../config/profiles.ts';
import { usageError } from '../errors.ts';
import type { CommandOf } from './begin.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

const HELP = `
bash: add to ~/.bashrc                   source <(simcha completion bash)
zsh:  add to ~/.zshrc, after compinit    source <(simcha completion zsh)
fish: simcha completion fish > ~/.config/fish/completions/simcha.fish`;

/**
 * Function of the package bash-completion that the script calls, for machines without that package. A package that is
 * loaded later replaces it.
 */
const WITHOUT_PACKAGE = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
}`;

/** Defines the command that prints a shell's completion script, and the command that this script calls. */
export function defineCompletionCommands(commandOf: CommandOf, wholeProgram: () => Promise<Command>): void {
  commandOf('completion')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText('after', HELP)
    .action(async (shell: string) => {
      if (!SHELLS.includes(shell)) throw usageError(`"${shell}" is no shell of ${SHELLS.join(', ')}.`);
      const { setup } = await completions();
      if (shell === 'bash') process.stdout.write(`${WITHOUT_PACKAGE}\n`);
      setup('simcha', 'simcha', shell);
    });
  commandOf('complete')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => (await completions()).parse(words));

  /** Completions of all commands, with the applications and profiles that this user has. */
  async function completions() {
    const root = tab(await wholeProgram(), { completionCommandName: 'completion' });
    for (const { options, arguments: positional } of [root, ...root.commands.values()]) {
      const isApplication = positional.get('application');
      for (const named of [options.get('app'), isApplication])
        if (named)
          named.handler = (complete) => {
            for (const { subdomain, name } of rememberedApplications()) complete(subdomain, name);
          };
      const profile = options.get('profile');
      if (profile)
        profile.handler = (complete) => {
          for (const name of namesOfProfiles()) complete(name, '');
        };
    }
    return root;
  }
}
