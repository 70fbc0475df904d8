import { messages as englishFirst } from './generated/en.first'
import { messages as englishLater } from './generated/en.later'
import { messages as englishOfServer } from './generated/en.server'
import { messages as chineseFirst } from './generated/zh-CN.first'
import { messages as chineseLater } from './generated/zh-CN.later'
import { messages as chineseOfServer } from './generated/zh-CN.server'
import { addMessages } from './messages'

// A server, a command and a test have every message from their start: they import this module, and nothing of it.
for (const messages of [englishFirst, englishLater, englishOfServer]) addMessages('en', messages)
for (const messages of [chineseFirst, chineseLater, chineseOfServer]) addMessages('zh-CN', messages)
