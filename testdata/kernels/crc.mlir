// CRC-32 of n bytes (one per element, the low eight bits), four bits at a time: the
// table of the reflected polynomial 0xEDB88320 is a constant of the program, which
// the host loads into on-chip memory.
memref.global "private" constant @table : memref<16xi32> = dense<[
  0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
  0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C]>
func.func @crc(%data: memref<?xi32>, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %byte = arith.constant 255 : i32
  %nibble = arith.constant 15 : i32
  %four = arith.constant 4 : i32
  %ones = arith.constant -1 : i32
  %table = memref.get_global @table : memref<16xi32>
  %crc = scf.for %i = %zero to %n step %one iter_args(%c0 = %ones) -> (i32) {
    %word = memref.load %data[%i] : memref<?xi32>
    %low = arith.andi %word, %byte : i32
    %c1 = arith.xori %c0, %low : i32
    %i1 = arith.andi %c1, %nibble : i32
    %x1 = arith.index_cast %i1 : i32 to index
    %t1 = memref.load %table[%x1] : memref<16xi32>
    %s1 = arith.shrui %c1, %four : i32
    %c2 = arith.xori %t1, %s1 : i32
    %i2 = arith.andi %c2, %nibble : i32
    %x2 = arith.index_cast %i2 : i32 to index
    %t2 = memref.load %table[%x2] : memref<16xi32>
    %s2 = arith.shrui %c2, %four : i32
    %c3 = arith.xori %t2, %s2 : i32
    scf.yield %c3 : i32
  }
  %out = arith.xori %crc, %ones : i32
  return %out : i32
}
