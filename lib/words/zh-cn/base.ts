import type { Translated } from '@/lib/base/reader'

export const baseZh: Readonly<Record<string, Translated>> = {
  'base.part-missing': 'Nod 的一部分未能加载，因此操作没有执行。请检查网络连接后重试。',
  'base.part-loading': '{what}：正在加载…',
  'base.age.now': '刚刚',
  'base.age.minutes': '{count} 分钟前',
  'base.age.hours': '{count} 小时前',
  'base.age.days': '{count, number} 天前',
  'base.device.unknown': '没有表明名称的程序',
  'base.device.browser': '{system} 上的浏览器',
  'base.device': '{system} 上的 {browser}',
}
