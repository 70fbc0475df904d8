import { describe, expect, test } from 'vitest'
import { runGetTime, nearestTimeZone, formatTime } from './index'

const at = (iso: string) => Date.parse(iso)
const clockIn = (zone: string, iso = '2026-11-22T15:04:05.678Z') => ({ now: () => at(iso), timeZone: () => zone })

describe('tellTime', () => {
  test.each([
    ['2026-11-22T15:04:05.678Z', 'Europe/Berlin', '2026-11-22', '16:04:05', 'Sunday', '+01:00'],
    ['2026-07-01T22:30:00Z', 'Europe/Berlin', '2026-07-02', '00:30:00', 'Thursday', '+02:00'],
    ['2026-01-01T00:00:00Z', 'America/New_York', '2025-12-31', '19:00:00', 'Wednesday', '-05:00'],
    ['2026-01-01T00:00:00Z', 'Asia/Kathmandu', '2026-01-01', '05:45:00', 'Thursday', '+05:45'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01', '00:00:00', 'Thursday', '+00:00'],
    ['2024-02-29T12:00:00Z', 'Pacific/Kiritimati', '2024-03-01', '02:00:00', 'Friday', '+14:00'],
  ])('%s in %s', (iso, zone, date, time, weekday, offset) => {
    const told = formatTime(at(iso), zone)
    expect(told).toMatchObject({ date, time, weekday, utc_offset: offset })
    expect(told?.instant).toBe(iso.replace('.678', ''))
  })

  test('wall clock minus offset equals the instant, in every zone, in summer and in winter', () => {
    const instants = ['2026-01-15T23:59:59Z', '2026-07-15T00:00:00Z']
    const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
      instants.filter((iso) => {
        const told = formatTime(at(iso), zone)
        return Date.parse(`${told?.date}T${told?.time}${told?.utc_offset}`) !== at(iso)
      }),
    )
    expect(wrong).toEqual([])
  })

  test('accepts a name in any case, and rejects an invalid zone', () => {
    expect(formatTime(0, 'europe/berlin')?.time_zone).toBe('Europe/Berlin')
    const wrong = ['', 'Berlin', 'Europe/Berln', 'Mars/Olympus', '../etc', '\u0000']
    expect(wrong.filter((name) => formatTime(0, name))).toEqual([])
  })
})

describe('nearestTimeZone', () => {
  const names = Intl.supportedValuesOf('timeZone')
  test.each([
    ['Europe/Berln', 'Europe/Berlin'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['US/Tokyo', 'Asia/Tokyo'],
    ['Asia/Shangai', 'Asia/Shanghai'],
    ['北京', null],
    ['somewhere else entirely', null],
  ])('%s → %s', (wanted, name) => {
    expect(nearestTimeZone(wanted, names)).toBe(name)
  })
})

describe('get_time', () => {
  test('returns the time of the device, or of the requested zone', () => {
    expect(runGetTime('', clockIn('Europe/Berlin'))).toEqual({
      ok: true,
      result: {
        instant: '2026-11-22T15:04:05Z',
        date: '2026-11-22',
        time: '16:04:05',
        weekday: 'Sunday',
        time_zone: 'Europe/Berlin',
        utc_offset: '+01:00',
      },
    })
    expect(runGetTime(' Asia/Tokyo ', clockIn('Europe/Berlin'))).toMatchObject({ result: { date: '2026-11-23' } })
  })

  test('reports an invalid zone with a valid name', () => {
    expect(runGetTime('Europe/Berln', clockIn('UTC'))).toMatchObject({
      ok: false,
      message: 'There is no time zone “Europe/Berln”. Did you mean `Europe/Berlin`?',
      result: { nearest: 'Europe/Berlin' },
    })
    expect(runGetTime('北京', clockIn('Asia/Shanghai'))).toMatchObject({
      ok: false,
      message: 'There is no time zone “北京”. An IANA name is needed, such as `Asia/Shanghai`, that of this device.',
    })
  })

  test('says so, with the way out, on a device without a zone', () => {
    expect(runGetTime('', clockIn('Etc/Unknown'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('Ask with `time_zone`'),
    })
  })
})
