import { makeTold } from '@/lib/i18n/t'
import { refuse } from '../refuse'
import type { WallClock, ToolOutcome } from '../tool'
import { nearestTimeZone, formatTime } from './format-time'

/** `timeZone` as it was asked for; '' for that of the device. */
export function runGetTime(timeZone: string, clock: WallClock): ToolOutcome {
  const own = clock.timeZone()
  const asked = timeZone.trim()
  const time = formatTime(clock.now(), asked === '' ? own : asked)
  if (time) return { ok: true, result: { ...time } }
  if (asked === '') return refuse('no-time-zone', makeTold('told.own-zone', { own }))
  const near = nearestTimeZone(asked, Intl.supportedValuesOf('timeZone'))
  const told = makeTold('told.no-zone', { asked: asked.slice(0, 100), near: near ?? '', own })
  return refuse('no-such-time-zone', told, {
    ...(near !== null && { nearest: near }),
  })
}
