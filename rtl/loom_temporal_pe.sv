// loom_temporal_pe: executes instructions, one in a cycle, in the order in which their operands
//   arrive.
//
// Function: the sequencing of a temporal PE. An instruction has the operands condition, a and b, each
//   with a place for one token, from a source: n names result 0 of instruction n, NUM_INSTRUCTION + n
//   its result 1, 2 * NUM_INSTRUCTION + j input j. A round-robin arbiter issues one instruction that
//   has what it waits for, or an input with a token. In the next cycle it executes, if every reader of
//   its results is free, and else is blocked until something is executed or leaves. Words are kept by
//   source, conditions by instruction. A source that there is not: code 7, as long as the
//   configuration lasts.
// Parameters: W bits of a word; NUM_INSTRUCTION, a power of two, at least 2; NUM_CONSTANT; N_IN
//   inputs, N_OUT outputs; N_OP opcodes, KIND how each executes, 3 bits: 0 compute, 1 join, 2 select,
//   3 mux, 4 branch, 5 carry, 6 loop, 7 invariant; CYCLES, how many an execution takes beyond the first,
//   2 bits; PREDICATE, bits of the predicate of an instruction; BITS of the configuration.
// Ports: cfg: instructions from the low end, each valid, opcode, predicate, three operands (source,
//   held and, where there are constants, immediate, but for the condition), constant; then outputs,
//   each enable, source; then constants. N_IN channels in, N_OUT channels out. What computes stands
//   outside: opcode, with a bit above it that is set while an instruction executes, predicate, and
//   words a and b go there, result comes back in the same cycle, or in the last one of an execution, 0
//   where the bit is not set. A word that is passed on is a. error; idle (no token, all instructions in
//   their first state).
// Timing: an instruction executes two cycles after its last operand was made, at most every second
//   cycle. out_valid, in_ready, opcode, a and b depend on registers alone.
// Structure: the words are a LUT RAM with one write port and two read ports, whose addresses are
//   registers: which word is passed on is known when the instruction is issued.
// Rule: rtl/README.md "Temporal PEs".
module loom_temporal_pe #(
    parameter int W               = 32,
    parameter int NUM_INSTRUCTION = 8,
    parameter int NUM_CONSTANT    = 4,
    parameter int N_IN            = 6,
    parameter int N_OUT           = 4,
    parameter int N_OP            = 8,
    parameter logic [3*N_OP-1:0] KIND = 24'o76543210,
    parameter logic [2*N_OP-1:0] CYCLES = {2*N_OP{1'b0}},
    parameter int PREDICATE       = 4,
    parameter int BITS            = 392
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [BITS-1:0]   cfg,
    input  logic [N_IN-1:0]   in_valid,
    output logic [N_IN-1:0]   in_ready,
    input  logic [N_IN*W-1:0] in_data,
    output logic [N_OUT-1:0]  out_valid,
    input  logic [N_OUT-1:0]  out_ready,
    output logic [N_OUT*W-1:0] out_data,
    output logic [$clog2(N_OP):0] opcode,
    output logic [loom_pkg::at_least_1(PREDICATE)-1:0] predicate,
    output logic [W-1:0]      a,
    output logic [W-1:0]      b,
    input  logic [W-1:0]      result,
    output logic              err_valid,
    output logic [15:0]       err_code,
    output logic              idle
);
  localparam int K  = NUM_INSTRUCTION;
  localparam int L  = $clog2(K);
  localparam int SOURCES = 2 * K + N_IN;
  localparam int SW = $clog2(SOURCES);
  localparam int OW = $clog2(N_OP);
  localparam int CW = $clog2(NUM_CONSTANT);
  localparam int IMMEDIATE = (NUM_CONSTANT > 0) ? 1 : 0;
  localparam int M  = K + N_IN;  // what may be issued
  localparam int OPW = (OW > 0) ? OW : 1;
  localparam int PW  = (PREDICATE > 0) ? PREDICATE : 1;
  localparam int NW  = (CW > 0) ? CW : 1;
  // Positions in an instruction, and of what follows the instructions.
  localparam int AT_PREDICATE = 1 + OW;
  localparam int AT_CONDITION = AT_PREDICATE + PREDICATE;
  localparam int AT_A         = AT_CONDITION + SW + 1;
  localparam int AT_B         = AT_A + SW + 1 + IMMEDIATE;
  localparam int AT_CONSTANT  = AT_B + SW + 1 + IMMEDIATE;
  localparam int INSTRUCTION  = AT_CONSTANT + CW;
  localparam int OUTPUTS      = K * INSTRUCTION;
  localparam int CONSTANTS    = OUTPUTS + N_OUT * (1 + SW);

  initial if (K < 2 || K != (1 << L)) $fatal(1, "loom_temporal_pe: NUM_INSTRUCTION must be a power of two, at least 2");
  initial if (N_IN < 1 || N_OUT < 1 || N_OP < 1) $fatal(1, "loom_temporal_pe: N_IN, N_OUT and N_OP must be at least 1");
  initial if (BITS != CONSTANTS + NUM_CONSTANT * W) $fatal(1, "loom_temporal_pe: BITS must be those of the configuration");

  // The kinds, by what they have in common: alternates takes a or b, begins starts with a alone,
  // splits has a result for each condition. A selection, which does not alternate, is a code of its own.
  //   alternates begins splits
  //        0       0      0     all operands
  //        0       1      1     select
  //        1       0      0     mux
  //        0       0      1     branch
  //        1       1      0     carry
  //        1       0      1     loop
  //        0       1      0     invariant
  localparam logic [23:0] CODES = {3'b010, 3'b101, 3'b110, 3'b001, 3'b100, 3'b011, 3'b000, 3'b000};
  function automatic logic [(1<<OW)-1:0] with_bit(input int bit_number);
    for (int k = 0; k < (1 << OW); k++) with_bit[k] = 1'b0;
    for (int k = 0; k < N_OP; k++) with_bit[k] = CODES[3*KIND[3*k +: 3] + bit_number];
  endfunction
  localparam logic [(1<<OW)-1:0] SPLITS     = with_bit(0);
  localparam logic [(1<<OW)-1:0] BEGINS     = with_bit(1);
  localparam logic [(1<<OW)-1:0] ALTERNATES = with_bit(2);

  // Addresses of words, both results of an instruction at one. With few inputs the bit that tells the
  // results apart is left out; else no address but one of an input has it set.
  localparam int DENSE = (N_IN <= K) ? 1 : 0;
  localparam int AW    = (DENSE != 0) ? L + 1 : SW;
  // Where a number of a source with all bits from L on set is none, it stands for no result.
  localparam int SPARE = ((1 << SW) - K >= SOURCES) ? 1 : 0;

  // There: tokens at the conditions, then at a, then at b. What executes is on.
  logic [3*K-1:0]   there;
  logic [K-1:0]     flag, state;
  logic [N_OUT-1:0] full;
  logic [M-1:0]     blocked, on;
  logic             issued;
  logic             last, goes_on;  // the last cycle of an execution, or none; another one follows

  // ---- Issue: what it is, and what is known of it ----
  localparam int FIELDS = 3 + 2 * (AW + 2) + NW + PW + OPW;
  logic [K-1:0]      valid, ready;
  logic [M-1:0]      candidates, grant;
  logic [FIELDS-1:0] fields;
  generate
    for (genvar n = 0; n < K; n++) begin : g_issue
      logic [INSTRUCTION-1:0] own;
      logic [OPW-1:0] own_opcode;
      logic [PW-1:0]  own_predicate;
      logic [NW-1:0]  own_constant;
      logic [SW-1:0]  source_a, source_b;
      logic [AW-1:0]  place_a, place_b;
      logic held_c, held_a, held_b, immediate_a, immediate_b;
      logic alternates, begins, splits;
      logic has_c, has_a, has_b, by, swap;
      logic [FIELDS-1:0] mine, upto;

      assign own      = cfg[n*INSTRUCTION +: INSTRUCTION];
      assign valid[n] = own[0];
      assign source_a = own[AT_A +: SW];
      assign source_b = own[AT_B +: SW];
      assign held_c   = own[AT_CONDITION+SW];
      assign held_a   = own[AT_A+SW];
      assign held_b   = own[AT_B+SW];
      if (OW > 0) begin : g_opcode
        assign own_opcode = own[1 +: OPW];
        assign alternates = ALTERNATES[own_opcode];
        assign begins     = BEGINS[own_opcode];
        assign splits     = SPLITS[own_opcode];
      end else begin : g_only
        assign own_opcode = 1'b0;
        assign {alternates, begins, splits} = {ALTERNATES, BEGINS, SPLITS};
      end
      if (PREDICATE > 0) begin : g_predicate
        assign own_predicate = own[AT_PREDICATE +: PW];
      end else begin : g_no_predicate
        assign own_predicate = 1'b0;
      end
      if (CW > 0) begin : g_constant
        assign own_constant = own[AT_CONSTANT +: NW];
      end else begin : g_no_constant
        assign own_constant = 1'b0;
      end
      if (IMMEDIATE != 0) begin : g_immediate
        assign immediate_a = own[AT_A+SW+1];
        assign immediate_b = own[AT_B+SW+1];
      end else begin : g_no_immediate
        assign {immediate_a, immediate_b} = 2'b00;
      end
      if (DENSE != 0) begin : g_dense
        assign place_a = {source_a[L+1], source_a[L-1:0]};
        assign place_b = {source_b[L+1], source_b[L-1:0]};
      end else begin : g_sparse
        assign place_a = {source_a[SW-1:L+1], source_a[L] & (|source_a[SW-1:L+1]), source_a[L-1:0]};
        assign place_b = {source_b[SW-1:L+1], source_b[L] & (|source_b[SW-1:L+1]), source_b[L-1:0]};
      end

      // What it has, or does not wait for. A held operand is there; an invariant has a in its second
      // state, and operands that a unit does not have are held. Where a or b is taken, by says which.
      assign has_c    = there[n] | held_c | (begins & ~splits & ~state[n]);
      assign has_a    = there[K+n] | held_a;
      assign has_b    = there[2*K+n] | held_b;
      assign by       = (begins | splits) ? state[n] : flag[n];
      assign ready[n] = valid[n] & has_c & (alternates ? (by ? has_b | (begins & ~flag[n]) : has_a) : has_a & has_b);
      // Whether b is what is passed on.
      assign swap     = alternates ? by : begins & splits & ~flag[n];

      assign mine = {state[n], ~flag[n], swap, immediate_b, held_b, place_b, immediate_a, held_a, place_a,
                     own_constant, own_predicate, own_opcode};
      if (n == 0) begin : g_first
        assign upto = mine & {FIELDS{grant[n]}};
      end else begin : g_next
        assign upto = g_issue[n-1].upto | (mine & {FIELDS{grant[n]}});
      end
    end
  endgenerate
  assign fields     = g_issue[K-1].upto;
  assign candidates = {in_valid, ready} & ~blocked & ~on & {M{last}};

  logic some;
  logic unused_word;
  loom_arbiter #(
      .W(1),
      .N(M)
  ) u_arbiter (
      .clk      (clk),
      .rst      (rst),
      .in_valid (candidates),
      .in_ready (grant),
      .in_data  ({M{1'b0}}),
      .out_valid(some),
      .out_ready(1'b1),
      .out_data (unused_word)
  );

  // The number of what is granted: of an instruction that of its result 0.
  logic [SW-1:0] new_number;
  generate
    for (genvar i = 0; i < M; i++) begin : g_number
      localparam int NUMBER = (i < K) ? i : K + i;
      logic [SW-1:0] upto;
      if (i == 0) begin : g_first
        assign upto = '0;
      end else begin : g_next
        assign upto = g_number[i-1].upto | (NUMBER[SW-1:0] & {SW{grant[i]}});
      end
    end
  endgenerate
  assign new_number = g_number[M-1].upto;

  logic           new_state, new_unset, new_swap, new_immediate_a, new_held_a, new_immediate_b, new_held_b;
  logic [AW-1:0]  new_place_a, new_place_b, new_address_a;
  logic [NW-1:0]  new_constant;
  logic [PW-1:0]  new_predicate;
  logic [OPW-1:0] new_opcode;
  assign {new_state, new_unset, new_swap, new_immediate_b, new_held_b, new_place_b, new_immediate_a, new_held_a, new_place_a,
          new_constant, new_predicate, new_opcode} = fields;
  assign new_address_a = new_swap ? new_place_b : new_place_a;

  // Of an input all but its number is 0.
  logic           executes;  // an instruction
  logic           is_state, is_unset;
  logic [SW-1:0]  number;
  logic [OPW-1:0] op;
  logic [AW-1:0]  address_a, address_b;
  logic           constant_a, constant_b, zero_a, zero_b;
  logic [W-1:0]   chosen;  // the constant
  always_ff @(posedge clk) begin
    if (rst) begin
      on           <= '0;
      issued       <= 1'b0;
      executes     <= 1'b0;
      address_a[0] <= 1'b0;
      address_b[0] <= 1'b0;
    end else begin
      on           <= grant | (on & {M{goes_on}});
      issued       <= some | goes_on;
      executes     <= (|grant[K-1:0]) | goes_on;
      if (last) begin
        address_a[0] <= new_address_a[0];
        address_b[0] <= new_place_b[0];
      end
    end
    // Yosys takes a read address whose bits are registers of one kind into the memory.
    if (last) begin
      address_a[AW-1:1] <= new_address_a[AW-1:1];
      address_b[AW-1:1] <= new_place_b[AW-1:1];
      constant_a <= new_swap ? new_immediate_b : new_immediate_a;
      constant_b <= new_immediate_b;
      zero_a     <= new_swap ? new_held_b : new_held_a;
      zero_b     <= new_held_b;
      number     <= new_number;
      op         <= new_opcode;
      predicate  <= new_predicate;
      is_state   <= new_state;
      is_unset   <= new_unset;
    end
  end
  generate
    if (CW > 0) begin : g_constants
      logic [NUM_CONSTANT*W-1:0] all;
      assign all = cfg[CONSTANTS +: NUM_CONSTANT*W];
      always_ff @(posedge clk) if (last) chosen <= all[new_constant*W +: W];
    end else begin : g_constant
      logic unused_constant;
      assign unused_constant = new_constant;
      if (NUM_CONSTANT > 0) begin : g_only
        assign chosen = cfg[CONSTANTS +: W];
      end else begin : g_none
        assign chosen = '0;
      end
    end
  endgenerate

  // ---- Execution: what it takes, and gives ----
  logic alternates, begins, splits;
  logic takes_c, takes_a, takes_b, nothing, second, state_next;
  generate
    if (OW > 0) begin : g_opcode
      assign alternates = ALTERNATES[op];
      assign begins     = BEGINS[op];
      assign splits     = SPLITS[op];
      assign opcode     = {executes, op};
    end else begin : g_only
      logic unused_opcode;
      assign unused_opcode = op;
      assign {alternates, begins, splits} = {ALTERNATES, BEGINS, SPLITS};
      assign opcode = executes;
    end
  endgenerate
  always_comb begin
    takes_c    = 1'b1;
    takes_a    = 1'b1;
    takes_b    = 1'b1;
    nothing    = 1'b0;
    second     = 1'b0;
    state_next = 1'b0;
    case ({alternates, begins, splits})
      3'b001: second = is_unset;  // branch
      3'b100: begin  // mux
        takes_a = is_unset;
        takes_b = ~is_unset;
      end
      3'b110: begin  // carry
        takes_c    = is_state;
        takes_a    = ~is_state;
        takes_b    = is_state & ~is_unset;
        nothing    = is_state & is_unset;
        state_next = ~is_state | ~is_unset;
      end
      3'b101: begin  // loop
        takes_a    = ~is_state;
        takes_b    = is_state;
        second     = is_unset;
        state_next = ~is_unset;
      end
      3'b010: begin  // invariant
        takes_c    = is_state;
        takes_a    = is_state & is_unset;
        nothing    = is_state & is_unset;
        state_next = ~is_state | ~is_unset;
      end
      default: ;  // all operands
    endcase
  end

  // The number of the result that is given, of none where nothing is.
  logic          is_input;
  logic [SW-1:0] given;
  assign is_input = |number[SW-1:L+1];
  assign given    = number | (SW'(second) << L) | ({SW{nothing}} & ~SW'(K - 1));

  // Whether a source is that of what executes, whichever result.
  function automatic logic same(input logic [SW-1:0] source, input logic [SW-1:0] of, input logic of_input);
    logic [SW-1:0] difference;
    difference = source ^ of;
    if ((DENSE != 0) | ~of_input) difference[L] = 1'b0;
    same = difference == '0;
  endfunction

  // Readers that have a token; what executes may take those of its own.
  logic [3*K-1:0]   waits, meant;
  logic [N_OUT-1:0] out_waits;
  logic [2:0]       own_waits;
  logic pending, free, fire, give;
  logic [W-1:0] word;
  assign own_waits = {|(waits[2*K +: K] & on[K-1:0]), |(waits[K +: K] & on[K-1:0]), |(waits[0 +: K] & on[K-1:0])};
  assign pending   = (|(waits & ~{3{on[K-1:0]}})) | (|out_waits) | (|(own_waits & ~{takes_b, takes_a, takes_c}));
  assign free      = issued & (nothing | ~pending);
  assign fire      = free & last;
  assign give      = issued & ~nothing & ~pending & last;

  // While an execution takes more cycles nothing is issued; without room it ends in its first one.
  generate
    if (CYCLES != {2*N_OP{1'b0}}) begin : g_cycles
      localparam logic [2*(1<<OW)-1:0] ALL_CYCLES = (2*(1<<OW))'(CYCLES);
      logic [1:0] spent, cycles;
      if (OW > 0) begin : g_table
        assign cycles = ALL_CYCLES[2*op +: 2];
      end else begin : g_only
        assign cycles = ALL_CYCLES;
      end
      assign last    = ~executes | (spent == cycles);
      assign goes_on = free & ~last;
      // Cleared by its data: a reset would follow from the register itself.
      always_ff @(posedge clk) spent <= (spent + 2'd1) & {2{~(rst | last)}};
    end else begin : g_one_cycle
      logic unused_free;
      assign unused_free = free;
      assign last    = 1'b1;
      assign goes_on = 1'b0;
    end
  endgenerate

  generate
    for (genvar n = 0; n < K; n++) begin : g_places
      for (genvar k = 0; k < 3; k++) begin : g_operand
        localparam int AT = n * INSTRUCTION + ((k == 0) ? AT_CONDITION : (k == 1) ? AT_A : AT_B);
        logic [SW-1:0] source;
        logic held, takes;
        assign source = cfg[AT +: SW];
        assign held   = cfg[AT+SW];
        assign takes  = (k == 0) ? takes_c : (k == 1) ? takes_a : takes_b;
        assign meant[3*n+k] = (source == given) & ~held & ((SPARE != 0) | ~nothing);
        assign waits[k*K+n] = there[k*K+n] & same(source, number, is_input);
        always_ff @(posedge clk) begin
          if (rst) there[k*K+n] <= 1'b0;
          else if (fire) there[k*K+n] <= (meant[3*n+k] & valid[n]) | (there[k*K+n] & ~(on[n] & takes));
        end
      end
      always_ff @(posedge clk) begin
        if (rst) state[n] <= 1'b0;
        else if (fire & on[n]) state[n] <= state_next;
        // A condition without a token may be anything: the write does not wait for one. One that is
        // taken may be the instruction's own result.
        if (rst) flag[n] <= 1'b0;
        else if (~there[n] | (fire & on[n] & takes_c)) flag[n] <= word[0];
      end
    end
    for (genvar o = 0; o < N_OUT; o++) begin : g_output
      logic [SW-1:0] source;
      logic enable, out_meant;
      assign enable = cfg[OUTPUTS+o*(1+SW)];
      assign source = cfg[OUTPUTS+o*(1+SW)+1 +: SW];
      assign out_meant = (source == given) & enable & ((SPARE != 0) | ~nothing);
      assign out_waits[o] = full[o] & same(source, number, is_input);
      always_ff @(posedge clk) begin
        if (rst) full[o] <= 1'b0;
        else full[o] <= (fire & out_meant) | (full[o] & ~out_ready[o]);
        if (~full[o]) out_data[o*W +: W] <= word;
      end
    end
  endgenerate
  assign out_valid = full;

  // What leaves in the cycle in which something finds no room lets that try again.
  always_ff @(posedge clk) begin
    if (rst | fire | (|(full & out_ready))) blocked <= '0;
    else blocked <= blocked | (on & ~{M{goes_on}});
  end

  // ---- Words ----
  logic [W-1:0]  words [0:(1<<AW)-1];
  logic [W-1:0]  arrived, write_word;
  logic [AW-1:0] place, write_place;
  logic          write;
  generate
    if (DENSE != 0) begin : g_dense
      assign place = {number[L+1], number[L-1:0]};
    end else begin : g_sparse
      assign place = number;
    end
    for (genvar j = 0; j < N_IN; j++) begin : g_arrived
      logic [W-1:0] upto;
      if (j == 0) begin : g_first
        assign upto = in_data[j*W +: W] & {W{on[K+j]}};
      end else begin : g_next
        assign upto = g_arrived[j-1].upto | (in_data[j*W +: W] & {W{on[K+j]}});
      end
      assign in_ready[j] = on[K+j] & fire;
    end
  endgenerate
  assign arrived = g_arrived[N_IN-1].upto;
  assign a       = constant_a ? chosen : words[address_a] & {W{~zero_a}};
  assign b       = constant_b ? chosen : words[address_b] & {W{~zero_b}};
  assign word    = result | arrived;
  // A reader executes two cycles later at the earliest: the word has one on its way to the memory.
  always_ff @(posedge clk) begin
    write       <= give;
    write_place <= place;
    write_word  <= word;
    if (write) words[write_place] <= write_word;
  end

  assign idle = ~((|there) | (|state) | (|full) | issued);

  // ---- Errors ----
  generate
    if (SOURCES == (1 << SW)) begin : g_all
      assign err_valid = 1'b0;
    end else begin : g_check
      localparam int READERS = 3 * K + N_OUT;
      logic [READERS-1:0] wrong;
      for (genvar r = 0; r < READERS; r++) begin : g_reader
        localparam int AT = (r >= 3 * K) ? OUTPUTS + (r - 3 * K) * (1 + SW) + 1 :
                            (r / 3) * INSTRUCTION + ((r % 3 == 0) ? AT_CONDITION : (r % 3 == 1) ? AT_A : AT_B);
        assign wrong[r] = cfg[AT +: SW] >= SW'(SOURCES);
      end
      assign err_valid = ~rst & (|wrong);
    end
  endgenerate
  assign err_code = loom_pkg::ERR_CFG_TEMPORAL_PE_REG;
endmodule
