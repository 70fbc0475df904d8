import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { makeTold, t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { refuse } from '../refuse'
import { runGetTime } from './run'

export const getTime = defineTool({
  name: 'get_time',
  description:
    'Tells the date, the time and the weekday, with time zone and UTC offset: the user’s, or of `time_zone`.',
  icon: 'clock',
  permission: 'public',
  agentCallable: true,
  tags: ['time'],
  vcpCommand: 'GetTime',
  capabilities: { files: 'none', network: 'off' },
  schema: z.strictObject({
    time_zone: z.optional(z.string().check(z.describe('IANA name, as Europe/Berlin; left out: the user’s'))),
  }),
  summarize({ time_zone: zone }) {
    const named = typeof zone === 'string' && zone.trim() !== '' ? zone : null
    return {
      head: named ?? '',
      headIsCode: named !== null,
      sentence:
        named === null ? [t('tool.time')] : withParts((part) => t('tool.time-in', { zone: part({ code: named }) })),
      body: { kind: 'none' },
    }
  },
  async run({ time_zone: timeZone = '' }, { clock }) {
    if (!clock) return refuse('no-clock', makeTold('told.no-clock'))
    return runGetTime(timeZone, clock)
  },
})
