import { verifyCommand } from './verify-command.ts';

process.exitCode = await verifyCommand(process.argv.slice(2));
