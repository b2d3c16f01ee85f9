#!/usr/bin/env node
import module from 'node:module';

// Node.js from 22.1 on keeps the compiled bundle for the next start of the command.
module.enableCompileCache?.();
await import('../dist/simcha.js');
