import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { makeModelMessage, t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { refuse } from '../refuse'
import type { WallClock, ToolOutcome } from '../tool'
import { editDistance } from '@/lib/base/text/nearest-path'

/** An instant as local time. */
interface FormattedTime {
  /** ISO 8601 in UTC, to the second: "2026-11-22T15:04:05Z". */
  readonly instant: string
  /** Local, by the wall clock: "2026-11-22", "16:04:05", "Sunday". */
  readonly date: string
  readonly time: string
  readonly weekday: string
  /** IANA name: "Europe/Berlin". */
  readonly time_zone: string
  /** "+01:00"; it includes daylight saving time. */
  readonly utc_offset: string
}

/** `instant` in epoch milliseconds. Null: there is no such time zone. */
export function formatTime(instant: number, timeZone: string): FormattedTime | null {
  const format = formatFor(timeZone)
  if (!format) return null
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    instant: new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z'),
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    weekday: part('weekday'),
    time_zone: format.resolvedOptions().timeZone,
    // "GMT" alone represents no difference.
    utc_offset: part('timeZoneName').replace(/^GMT$/, 'GMT+00:00').slice('GMT'.length),
  }
}

function formatFor(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
  } catch {
    return null
  }
}

/**
 * The time zone that an invalid name probably means: a city alone ("new york"), its parts in other words, a typo. Null
 * if nothing is near enough.
 */
export function nearestTimeZone(wanted: string, names: readonly string[]): string | null {
  const name = fold(wanted)
  const limit = Math.floor(name.length / 4)
  let best: { readonly name: string; readonly cost: number } | null = null
  for (const one of names) {
    const whole = fold(one)
    const city = whole.slice(whole.lastIndexOf('/') + 1)
    const wantedCity = name.slice(name.lastIndexOf('/') + 1)
    const cost = Math.min(
      editDistance(whole, name, limit),
      editDistance(city, name, limit),
      // "Germany/Berlin": the city is right, the part before it is not.
      wantedCity === name ? Infinity : editDistance(city, wantedCity, Math.floor(wantedCity.length / 4)) + 0.5,
    )
    if (cost <= limit + 0.5 && (best === null || cost < best.cost)) best = { name: one, cost }
  }
  return best?.name ?? null
}

const fold = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')

/** `timeZone` as it was requested; '' for that of the device. */
export function runGetTime(timeZone: string, clock: WallClock): ToolOutcome {
  const own = clock.timeZone()
  const asked = timeZone.trim()
  const time = formatTime(clock.now(), asked === '' ? own : asked)
  if (time) return { ok: true, result: { ...time } }
  if (asked === '') return refuse('no-time-zone', makeModelMessage('told.own-zone', { own }))
  const near = nearestTimeZone(asked, Intl.supportedValuesOf('timeZone'))
  const refusal = makeModelMessage('told.no-zone', { asked: asked.slice(0, 100), near: near ?? '', own })
  return refuse('no-such-time-zone', refusal, {
    ...(near !== null && { nearest: near }),
  })
}

export const getTime = defineTool({
  spec: {
    name: 'get_time',
    description:
      'Tells the date, the time and the weekday, with time zone and UTC offset: the user’s, or of `time_zone`.',
    vcpCommand: 'GetTime',
    schema: z.strictObject({
      time_zone: z.optional(z.string().check(z.describe('IANA name, as Europe/Berlin; left out: the user’s'))),
    }),
  },
  policy: {
    permission: 'public',
    agentCallable: true,
    capabilities: { files: 'none', network: 'off' },
    fromCode: true,
  },
  card: {
    icon: 'clock',
    tags: ['time'],
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
  },
  async run({ time_zone: timeZone = '' }, { clock }) {
    if (!clock) return refuse('no-clock', makeModelMessage('told.no-clock'))
    return runGetTime(timeZone, clock)
  },
})
