import { pythonAddMain } from '@/lib/server/wiring/process/python-add.server'

/* npm run generate -- python-add NAME…: what `python-add.cjs` of a release does. */

process.exitCode = await pythonAddMain(process.argv.slice(2), process.env, 'npm run generate -- python-add')
