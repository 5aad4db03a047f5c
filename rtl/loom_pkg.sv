// loom_pkg: constants and functions shared by the library and generated code.
//
// Function: the hardware error codes (design page "Error symbols"), the encodings
//   of comparison predicates, continuation conditions and step operators, and the
//   width helpers that keep every vector at least one bit wide.
// Use: always as loom_pkg::NAME; `import` is outside the language subset.
package loom_pkg;

  // No design uses every constant.
  /* verilator lint_off UNUSEDPARAM */
  // Configuration errors: high as long as the configuration is wrong.
  localparam logic [15:0] ERR_NONE                       = 16'd0;
  // Reserved: the configuration of loom_switch, one select per output, cannot express it.
  localparam logic [15:0] ERR_CFG_SWITCH_ROUTE_MIX       = 16'd1;
  localparam logic [15:0] ERR_CFG_TEMPORAL_SW_SAME_TAG   = 16'd4;
  localparam logic [15:0] ERR_CFG_TEMPORAL_SW_DUP_TAG    = 16'd5;
  localparam logic [15:0] ERR_CFG_TEMPORAL_PE_DUP_TAG    = 16'd6;
  localparam logic [15:0] ERR_CFG_TEMPORAL_PE_REG        = 16'd7;
  localparam logic [15:0] ERR_CFG_TEMPORAL_PE_REG_TAG    = 16'd8;
  localparam logic [15:0] ERR_CFG_MAP_TAG_DUP_TAG        = 16'd9;
  localparam logic [15:0] ERR_CFG_STREAM_CONT_COND       = 16'd10;
  localparam logic [15:0] ERR_CFG_CMPI_PREDICATE         = 16'd11;
  localparam logic [15:0] ERR_CFG_MEMORY_OVERLAP         = 16'd12;
  localparam logic [15:0] ERR_CFG_MEMORY_EMPTY_RANGE     = 16'd13;
  localparam logic [15:0] ERR_CFG_EXTMEMORY_OVERLAP      = 16'd14;
  localparam logic [15:0] ERR_CFG_EXTMEMORY_EMPTY_RANGE  = 16'd15;
  // Run-time errors: high in the cycle in which the fault happens.
  localparam logic [15:0] ERR_TEMPORAL_PE_NO_MATCH       = 16'd256;
  localparam logic [15:0] ERR_TEMPORAL_SW_NO_MATCH       = 16'd257;
  localparam logic [15:0] ERR_MAP_TAG_NO_MATCH           = 16'd258;
  localparam logic [15:0] ERR_STREAM_ZERO_STEP           = 16'd259;
  localparam logic [15:0] ERR_MEMORY_TAG_OOB             = 16'd260;
  localparam logic [15:0] ERR_MEMORY_STORE_DEADLOCK      = 16'd261;
  localparam logic [15:0] ERR_SWITCH_UNROUTED_INPUT      = 16'd262;
  localparam logic [15:0] ERR_TEMPORAL_SW_UNROUTED_INPUT = 16'd263;
  localparam logic [15:0] ERR_MEMORY_NO_MATCH            = 16'd264;
  localparam logic [15:0] ERR_EXTMEMORY_NO_MATCH         = 16'd265;
  localparam logic [15:0] ERR_MEMORY_ADDR_OOB            = 16'd512;
  localparam logic [15:0] ERR_EXTMEMORY_BUS              = 16'd513;
  localparam logic [15:0] ERR_CFG_IMAGE_LENGTH           = 16'd514;
  localparam logic [15:0] ERR_EXTMEMORY_ADDR_OOB         = 16'd515;

  // The known codes in ascending order; loom_error_collect keeps one bit for each.
  localparam int NUM_ERR = 28;
  localparam logic [NUM_ERR*16-1:0] ERR_LIST = {
    ERR_EXTMEMORY_ADDR_OOB, ERR_CFG_IMAGE_LENGTH, ERR_EXTMEMORY_BUS, ERR_MEMORY_ADDR_OOB,
    ERR_EXTMEMORY_NO_MATCH, ERR_MEMORY_NO_MATCH, ERR_TEMPORAL_SW_UNROUTED_INPUT,
    ERR_SWITCH_UNROUTED_INPUT, ERR_MEMORY_STORE_DEADLOCK, ERR_MEMORY_TAG_OOB,
    ERR_STREAM_ZERO_STEP, ERR_MAP_TAG_NO_MATCH, ERR_TEMPORAL_SW_NO_MATCH,
    ERR_TEMPORAL_PE_NO_MATCH,
    ERR_CFG_EXTMEMORY_EMPTY_RANGE, ERR_CFG_EXTMEMORY_OVERLAP, ERR_CFG_MEMORY_EMPTY_RANGE,
    ERR_CFG_MEMORY_OVERLAP, ERR_CFG_CMPI_PREDICATE, ERR_CFG_STREAM_CONT_COND,
    ERR_CFG_MAP_TAG_DUP_TAG, ERR_CFG_TEMPORAL_PE_REG_TAG, ERR_CFG_TEMPORAL_PE_REG,
    ERR_CFG_TEMPORAL_PE_DUP_TAG, ERR_CFG_TEMPORAL_SW_DUP_TAG, ERR_CFG_TEMPORAL_SW_SAME_TAG,
    16'd2, ERR_CFG_SWITCH_ROUTE_MIX};
  // Reported when a module raises a code that the list does not hold.
  localparam logic [15:0] ERR_UNKNOWN = 16'hFFFF;

  // arith.cmpi predicates, MLIR's numbering.
  localparam logic [3:0] CMP_EQ  = 4'd0;
  localparam logic [3:0] CMP_NE  = 4'd1;
  localparam logic [3:0] CMP_SLT = 4'd2;
  localparam logic [3:0] CMP_SLE = 4'd3;
  localparam logic [3:0] CMP_SGT = 4'd4;
  localparam logic [3:0] CMP_SGE = 4'd5;
  localparam logic [3:0] CMP_ULT = 4'd6;
  localparam logic [3:0] CMP_ULE = 4'd7;
  localparam logic [3:0] CMP_UGT = 4'd8;
  localparam logic [3:0] CMP_UGE = 4'd9;

  // STEP_OP of loom_stream.
  localparam int STEP_ADD = 0;
  localparam int STEP_SUB = 1;
  localparam int STEP_MUL = 2;
  localparam int STEP_DIV = 3;
  localparam int STEP_SHL = 4;
  localparam int STEP_SHR = 5;
  /* verilator lint_on UNUSEDPARAM */

  // at_least_1: the width of a vector whose natural width may be zero.
  function automatic int at_least_1(input int n);
    at_least_1 = (n > 1) ? n : 1;
  endfunction

  // index_width: bits of an index into n things, at least 1.
  function automatic int index_width(input int n);
    index_width = (n > 2) ? $clog2(n) : 1;
  endfunction

  // offset_width: width of a memory's addr_offset field: clog2 of its bytes, at
  // least 1 (design page "Configuration image").
  function automatic int offset_width(input int elements, input int elem_bits);
    offset_width = index_width(elements * (elem_bits / 8));
  endfunction

  // route_bits: bits that configure the first outputs of a loom_switch: for each that has an
  // input, enable and select.
  function automatic int route_bits(input logic [1023:0] connect, input int n_in, input int n_out);
    int inputs;
    route_bits = 0;
    for (int o = 0; o < n_out; o++) begin
      inputs = 0;
      for (int i = 0; i < n_in; i++) if (connect[o*n_in+i]) inputs = inputs + 1;
      if (inputs > 0) route_bits = route_bits + 1 + $clog2(inputs);
    end
  endfunction

  // numbers_with_bit: bit i is set when bit b of the number i is, for i below 32.
  function automatic logic [31:0] numbers_with_bit(input int b);
    for (int i = 0; i < 32; i++) numbers_with_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  // error_bits: one-hot position of a code in ERR_LIST; zero when it is not there.
  function automatic logic [NUM_ERR-1:0] error_bits(input logic [15:0] code);
    for (int k = 0; k < NUM_ERR; k++) error_bits[k] = code == ERR_LIST[k*16 +: 16];
  endfunction

  // differing_bits: the bits in which the codes of a set differ; all bits where the set is the
  // whole list, whose sources may raise anything.
  function automatic logic [15:0] differing_bits(input logic [NUM_ERR-1:0] set);
    logic [15:0] ones, zeros;
    ones  = 16'd0;
    zeros = 16'd0;
    for (int k = 0; k < NUM_ERR; k++) begin
      if (set[k]) begin
        ones  = ones | ERR_LIST[k*16 +: 16];
        zeros = zeros | ~ERR_LIST[k*16 +: 16];
      end
    end
    differing_bits = (&set) ? 16'hFFFF : (ones & zeros);
  endfunction

  // Which codes the components of a kind can raise, a bit for each code of the list: for
  // loom_error_collect, which tells the codes of a source apart by the bits in which they differ.
  /* verilator lint_off UNUSEDPARAM */
  localparam logic [NUM_ERR-1:0] RAISES_ANY         = {NUM_ERR{1'b1}};
  localparam logic [NUM_ERR-1:0] RAISES_LOADER      = error_bits(ERR_CFG_IMAGE_LENGTH);
  localparam logic [NUM_ERR-1:0] RAISES_SPATIAL_SW  = error_bits(ERR_SWITCH_UNROUTED_INPUT);
  localparam logic [NUM_ERR-1:0] RAISES_TEMPORAL_SW = error_bits(ERR_CFG_TEMPORAL_SW_SAME_TAG) | error_bits(ERR_CFG_TEMPORAL_SW_DUP_TAG) |
      error_bits(ERR_TEMPORAL_SW_NO_MATCH) | error_bits(ERR_TEMPORAL_SW_UNROUTED_INPUT);
  localparam logic [NUM_ERR-1:0] RAISES_MAP_TAG     = error_bits(ERR_CFG_MAP_TAG_DUP_TAG) | error_bits(ERR_MAP_TAG_NO_MATCH);
  localparam logic [NUM_ERR-1:0] RAISES_SPATIAL_PE  = error_bits(ERR_CFG_STREAM_CONT_COND) | error_bits(ERR_CFG_CMPI_PREDICATE) |
      error_bits(ERR_STREAM_ZERO_STEP);
  localparam logic [NUM_ERR-1:0] RAISES_TEMPORAL_PE = error_bits(ERR_CFG_TEMPORAL_PE_REG);
  localparam logic [NUM_ERR-1:0] RAISES_MEMORY      = error_bits(ERR_CFG_MEMORY_OVERLAP) | error_bits(ERR_CFG_MEMORY_EMPTY_RANGE) |
      error_bits(ERR_MEMORY_TAG_OOB) | error_bits(ERR_MEMORY_STORE_DEADLOCK) | error_bits(ERR_MEMORY_NO_MATCH) | error_bits(ERR_MEMORY_ADDR_OOB);
  localparam logic [NUM_ERR-1:0] RAISES_EXTMEMORY   = error_bits(ERR_CFG_EXTMEMORY_OVERLAP) | error_bits(ERR_CFG_EXTMEMORY_EMPTY_RANGE) |
      error_bits(ERR_MEMORY_TAG_OOB) | error_bits(ERR_MEMORY_STORE_DEADLOCK) | error_bits(ERR_EXTMEMORY_NO_MATCH) | error_bits(ERR_EXTMEMORY_BUS);
  localparam logic [NUM_ERR-1:0] RAISES_EXTMEMORY_BOUNDS = error_bits(ERR_CFG_EXTMEMORY_OVERLAP) | error_bits(ERR_CFG_EXTMEMORY_EMPTY_RANGE) |
      error_bits(ERR_MEMORY_TAG_OOB) | error_bits(ERR_MEMORY_STORE_DEADLOCK) | error_bits(ERR_EXTMEMORY_NO_MATCH) | error_bits(ERR_EXTMEMORY_BUS) |
      error_bits(ERR_EXTMEMORY_ADDR_OOB);
  /* verilator lint_on UNUSEDPARAM */

  // What loom_alu needs of a predicate: whether it is of an order, or of equality; the comparison that
  // is made is the opposite one; numbers that are equal are in order; they are signed.
  function automatic logic [4:0] comparison(input logic [3:0] predicate);
    comparison = {(predicate >= CMP_SLT) & (predicate <= CMP_UGE), predicate < CMP_SLT,
                  (predicate == CMP_NE) | (predicate == CMP_SGT) | (predicate == CMP_SGE) |
                  (predicate == CMP_UGT) | (predicate == CMP_UGE),
                  (predicate == CMP_SLE) | (predicate == CMP_SGT) | (predicate == CMP_ULE) | (predicate == CMP_UGT),
                  predicate < CMP_ULT};
  endfunction
endpackage
