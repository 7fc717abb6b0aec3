/** Largest file an import takes, in bytes (100 MB). OPS-15 */
export const maxUploadBytes = 104_857_600;
/** What the parts of a workbook may add up to once unpacked, in bytes: more is refused as a bomb. */
export const maxUnpackedBytes = 1_073_741_824;
/** How many times its packed size a part may unpack to, and from which unpacked size on this is asked, in bytes. */
export const maxPackRatio = 200;
export const ratioFromBytes = 33_554_432;
/** Unpacked size of the part of shared texts, and of each of the parts that describe the workbook, in bytes: they are held whole. */
export const maxTextsBytes = 134_217_728;
export const maxFramePartBytes = 33_554_432;
/** Parts of a workbook package. */
export const maxPackageParts = 10_000;
/** Rows and columns of one imported sheet. */
export const maxSheetRows = 200_000;
export const maxSheetColumns = 2_000;
/** Rows and columns a sheet can have at all, empty ones included. */
export const sheetEndRow = 1_048_576;
export const sheetEndColumn = 16_384;
/** Bytes of one element of a sheet, and of one text in its written form. */
export const maxTagBytes = 65_536;
export const maxTextBytes = 262_144;
/** Memory of the process that reads a file, in MB, and how long it may take, in seconds. */
export const readerMemoryMb = 768;
export const readerSeconds = 180;
/** Files above these sizes, packed and unpacked, are not read a second time by the slower reader, in bytes. */
export const maxSecondReaderBytes = 20_971_520;
export const maxSecondReaderUnpackedBytes = 104_857_600;
/** Cells of one export. OPS-13 */
export const maxExportCells = 5_000_000;
/** Characters of one cell; longer texts are cut when written, refused when read. */
export const maxCellText = 32_767;
/** The hidden sheet that says what a workbook is. */
export const metaSheet = "_meta";

/** Media type of a workbook. */
export const workbookMime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
