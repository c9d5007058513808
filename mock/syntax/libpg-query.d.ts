/** The parser without the functions around it, which load its file and compile it in each thread. */
declare module 'libpg-query/wasm/libpg-query.js' {
  /** The module that emscripten makes. Addresses are numbers; 0 is none. */
  interface ParserModule {
    lengthBytesUTF8(text: string): number
    stringToUTF8(text: string, at: number, bytes: number): void
    UTF8ToString(at: number): string
    getValue(at: number, type: 'i32'): number
    _malloc(bytes: number): number
    _free(at: number): void
    _wasm_parse_query_raw(text: number): number
    _wasm_free_parse_result(result: number): void
  }
  type Instantiate = (imports: object, receive: (instance: object) => void) => object
  const createParser: (options?: { readonly instantiateWasm: Instantiate }) => Promise<ParserModule>
  export default createParser
}
