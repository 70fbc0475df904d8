import { askUser } from './ask-user'
import { browserJsEval } from './browser-js-eval'
import { deletePath } from './delete-path'
import { editFile } from './edit-file'
import { getTime } from './get-time'
import { listDirectory } from './list-directory'
import { movePath } from './move-path'
import { pythonEval } from './python-eval'
import { readFile } from './read-file'
import { searchFiles } from './search-files'
import { show } from './show'
import type { ToolDefinition } from './tool'
import { writeFile } from './write-file'

/**
 * The built-in tools, in the order in which people see them. To add one: a folder, and a line here. Only the wiring imports
 * this list; everybody else is given a `ToolRegistry`.
 */
export const builtInTools: readonly ToolDefinition[] = [
  browserJsEval,
  pythonEval,
  listDirectory,
  readFile,
  searchFiles,
  show,
  writeFile,
  editFile,
  movePath,
  deletePath,
  getTime,
  askUser,
]
