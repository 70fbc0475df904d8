import type { Translated } from '@/lib/base/reader'

export const queueZh: Readonly<Record<string, Translated>> = {
  'queue.place': '{place, plural, =0 {正在排队等待。} other {正在排队等待：第 # 位。}}',
}
