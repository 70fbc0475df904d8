import { refuse } from '../refuse'
import type { WallClock, ToolOutcome } from '../tool'
import { nearestTimeZone, tellTime } from './tell-time'

/** `timeZone` as it was asked for; '' for that of the device. */
export function runGetTime(timeZone: string, clock: WallClock): ToolOutcome {
  const own = clock.timeZone()
  const asked = timeZone.trim()
  const told = tellTime(clock.now(), asked === '' ? own : asked)
  if (told) return { ok: true, result: { ...told } }
  if (asked === '') return refuse('no-time-zone', `This device names its time zone ${own}, which is none. ${useOne}`)
  const near = nearestTimeZone(asked, Intl.supportedValuesOf('timeZone'))
  const right =
    near === null ? `An IANA name is needed, such as \`${own}\`, that of this device.` : `Did you mean \`${near}\`?`
  return refuse('no-such-time-zone', `There is no time zone “${asked.slice(0, 100)}”. ${right}`, {
    ...(near !== null && { nearest: near }),
  })
}

const useOne = 'Ask with `time_zone` as an IANA name, such as `UTC`.'
