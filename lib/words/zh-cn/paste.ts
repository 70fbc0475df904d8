import type { Translated } from '@/lib/base/reader'

export const pasteZh: Readonly<Record<string, Translated>> = {
  'paste.name': '任意聊天，复制粘贴',
  'paste.about':
    '适用于程序无法连接的模型：把提示词复制到任意其他聊天中，再把它的回复带回来。其中的调用会成为这里的卡片，在你同意后于此运行。',
  'paste.native':
    '调用格式 Native 需要能接收 Schema 的服务器，纯文本无法携带。请为此对话选择其他调用格式，然后重新提问。',
  'paste.section': '复制和粘贴',
  'paste.use': '使用此回复',
  'paste.part': '提示词的范围',
  'paste.part-new': '新内容',
  'paste.part-whole': '全部',
  'paste.prompt': '提示词',
  'paste.copy': '复制提示词',
  'paste.copied': '已复制',
  'paste.not-copied': '不允许复制：请选中文字后复制',
  'paste.doing': '正在等待你',
  'paste.take': '把这些内容复制到另一个聊天中',
  'paste.new': '仅包含新内容：给出上一个回复的聊天已有之前的 {before, number} 条消息。',
  'paste.after': '仅包含上一个回复之后的内容：适用于已有之前全部内容的聊天。',
  'paste.whole': '全部内容，用于新的聊天。',
  'paste.untold': '全部内容：此标签页不知道给出上一个回复的聊天是否已有之前的全部内容。',
  'paste.pictures': '文本中不含 {count, number} 张图片：请在那里手动附加。',
  'paste.bring': '把它的回复粘贴到这里',
  'paste.how': '请使用那个聊天自己的复制按钮。直接在页面上选取的文字可能缺少识别调用所需的标记。',
  'paste.elsewhere': '这个回复是另一个标签页通过复制粘贴请求的，只能在那里粘贴。你也可以停止它，然后在这里重新提问。',
  'paste.offline':
    '目前无法连接服务器。请照常复制提示词并粘贴回复：内容会保留在此标签页中。几秒内恢复连接即可继续；否则稍后在此回复下点击“重试”，提示词和粘贴的内容都会回来。',
  'paste.given':
    '你粘贴的内容保留在此标签页中，目前无法连接服务器。连接恢复后会立即读取；如果超过几秒，请在此回复下点击“重试”，内容会回来。',
  'paste.without':
    '对话的提示词、卡片和结果都来自它的服务器。试验台不需要服务器：它读取你粘贴的回复，在你同意后运行其中的调用，并给出可供复制的结果。',
  'paste.playground': '在旁边打开试验台',
}
