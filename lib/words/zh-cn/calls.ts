import type { Translated } from '@/lib/base/reader'

export const callsZh: Readonly<Record<string, Translated>> = {
  'calls.reply-not-in-view': '此回复已不在视图中。请打开它所在的对话后重试。',
  'calls.decided': '此调用已经决定，不能再修改。',
  'calls.decided-already': '此调用已经决定。',
  'calls.nothing-waits': '此调用没有等待你处理的结果。',
  'calls.decided-elsewhere': '此结果已先在另一个标签页中决定。这里显示的是那里的决定。',
  'calls.one-before-failed': '未开始：前面的一个调用失败了。',
  'calls.limit':
    '未开始：此回复已运行 {limit, number} 个调用，而此对话不允许一个回复运行更多。这会随结果一起告知模型。',
  'calls.not-run-here': '此浏览器未能运行该调用。{why}',
  'calls.not-remembered': '没有记住任何允许，也没有运行任何内容。{why}',
  'calls.page-broken': '此页面出了问题。请重新加载；已保存的内容不会丢失。',
  'calls.not-denied-yet': '尚未拒绝，也没有运行任何内容。{why}',
  'calls.not-skipped-yet': '尚未跳过，也没有运行任何内容。{why}',
  'calls.cancel-not-stored': '它没有开始，但这一点尚未保存。{why}',
  'calls.changed-elsewhere': '此调用同时在另一个标签页中被修改。这里显示的是当前状态：请重新决定。',
  'calls.files-changed': ({ paths }: { readonly paths: readonly string[] }) => {
    const [first = '文件', second = ''] = paths
    const what =
      paths.length < 2 ? first : paths.length === 2 ? `${first} 和 ${second}` : `${first} 等 ${paths.length} 个文件`
    return `没有运行任何内容：${what}在你查看之后发生了变化。这里显示的是现在运行会产生的效果；确认无误后请再次运行。`
  },
  'calls.tools-not-started': '工具未能启动，因此没有运行任何内容。{why}',
  'calls.unanswered': '这是向你提出的问题：请在它的卡片上回答。',
  'calls.locks-denied':
    '此浏览器阻止了此页面的网站数据，因此无法运行工具。请在浏览器的网站设置中允许，然后重新加载页面。',
  'calls.no-locks': '此页面需要通过 HTTPS 或 localhost 打开才能运行工具。',
  'calls.nothing-ran': '没有运行任何内容。{why}',
  'calls.stop-not-stored': '你停止了它，但这一点未能保存：{why}重新加载后，此页面将不再知道全部情况。',
  'calls.result-not-stored-yet': '结果尚未保存：无法连接服务器。结果保留在这里，并会再次尝试。',
  'calls.result-not-stored': '结果未能保存。',
  'calls.results-not-sent-yet': '结果尚未发送：无法连接服务器。结果已保留，并会再次尝试。',
  'calls.reason-not-added': '理由没有添加。{why}',
}
