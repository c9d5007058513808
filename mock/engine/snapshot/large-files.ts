import { growingMemory, resize } from '../memory/mapped-memory.ts'

/** The part of a file or directory of emscripten's in-memory file system that is used here. */
export interface MemoryNode {
  parent: { name: string }
  contents: Uint8Array
  usedBytes: number
}

/** What emscripten does with a file that is open; one object for all files. */
export interface FileOperations {
  write(
    stream: { node: MemoryNode },
    from: Uint8Array,
    offset: number,
    length: number,
    position: number,
    /** Whether the file may keep the bytes instead of a copy. */
    mayKeep?: boolean,
  ): number
}

/** What emscripten does with a directory; one object for all directories. */
export interface DirectoryOperations {
  unlink(parent: { name: string; contents: Record<string, MemoryNode> }, name: string): void
}

/** A file of this size is large; PostgreSQL begins another file after the second size. In bytes. */
const [largeFile, longestFile] = [1 << 20, 1 << 30]

/** The directory of temporary files. PostgreSQL closes them before it deletes them. */
const temporary = 'pgsql_tmp'

/**
 * Lets large files grow where they are. Emscripten adds an eighth and copies the file each time. The memory of a temporary file
 * goes back when the file is deleted, because an idle engine does not collect garbage.
 */
export function growLargeFiles(files: FileOperations, directories: DirectoryOperations): void {
  const { write } = files
  const { unlink } = directories
  const temporaryFiles = new Set<MemoryNode>()
  files.write = (stream, from, offset, length, position, mayKeep) => {
    const { node } = stream
    const end = position + length
    if (node.usedBytes >= largeFile && end > node.contents.length) {
      const bytes = Math.ceil(end / largeFile) * largeFile
      if (!resize(node.contents, bytes)) node.contents = growingMemory(node.contents, bytes, longestFile)
      if (node.parent.name === temporary) temporaryFiles.add(node)
    }
    return write(stream, from, offset, length, position, mayKeep)
  }
  directories.unlink = (parent, name) => {
    const node = parent.contents[name]
    unlink(parent, name)
    if (node && temporaryFiles.delete(node)) resize(node.contents, 0)
  }
}
