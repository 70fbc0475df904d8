import { everything } from './generated/everything'
import { addMessages } from './messages'

// A server, a command and a test need every message from the start: they import this module for its side effect.
for (const [language, messages] of everything) addMessages(language, messages)
