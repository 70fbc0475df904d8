import '@/lib/i18n/server-messages'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { approvalsPage } from './approvals/count'
import { tasks } from './approvals/tasks'

// npm run bench -- approvals [--write]: how often a user decides in scripted tasks, by approval mode. `--write` puts
// the table into docs/generated/bench-approvals.md.

const page = await approvalsPage(tasks)
if (process.argv.includes('--write')) {
  writeFileSync(path.resolve(import.meta.dirname, '../docs/generated/bench-approvals.md'), page)
}
console.log(page)
