import { everything } from './generated/everything'
import { addMessages } from './messages'

// A server, a command and a test have every message from their start: they import this module, and nothing of it.
for (const [language, messages] of everything) addMessages(language, messages)
