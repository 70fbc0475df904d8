import type { Translated } from '@/lib/base/reader'

export const roundsZh: Readonly<Record<string, Translated>> = {
  'rounds.question': '已进行 {rounds, number} 轮工具调用，期间你没有发言。要继续吗？',
}
