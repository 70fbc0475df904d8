import type { Translated } from '@/lib/base/reader'

export const runsZh: Readonly<Record<string, Translated>> = {
  'run.turn': '正在等待轮到它',
  'run.python-loads': '正在加载 Python，{done, number} / {of, number} MB',
  'run.python-starts': '正在启动 Python',
  'run.closed': '沙箱已关闭。',
  'run.not-started': '沙箱没有启动。请重新加载页面；如果仍无效，可能是浏览器扩展阻止了框架。',
  'run.started-late': '语言环境未能及时启动：无法加载它的文件。请检查网络后重试。',
  'run.out-of-memory':
    '代码运行时，浏览器结束了沙箱。代码用尽可用内存时就会这样。其他内容不受影响：请修改代码，减少同时占用的内存，然后重试。',
  'run.gone':
    '沙箱停止了响应：代码用尽了可用内存，或发送了过多数据。其他内容不受影响：请修改代码，减少同时占用的内存，然后重试。',
  'run.flooded': '代码已被停止：它发送了过多的{what, select, calls {文件操作} other {消息}}。',
}
