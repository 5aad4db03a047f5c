// loom_axil_host: the host's view of a fabric, an AXI4-Lite slave.
//
// Function    Holds argument registers and base addresses, starts a run, collects
//             results, counts cycles, passes configuration words on, reads and writes
//             the memories that the host may see, interrupts, and reports status, error
//             code and identity. The register map is the table in
//             compiler/host/regmap.go, from which header and documentation come.
// Parameters  N_IN, N_OUT     boundary channels of the fabric, 1 to 128 each
//             N_MEM           memories with a host port, 0 or more
//             MEM_ELEMENTS    their elements, 32 bits each, memory 0 lowest
//             N_BASE          base addresses of external memories, 0 to 128
//             SIZED           a bit for each of the first 64: its array has a size
//             LAYOUT_HASH     identity of fabric and configuration layout
//             VERSION         register map version
// Ports       s_axil_*        AXI4-Lite, 32-bit data, 12-bit byte address
//             irq             interrupt, high while an enabled event is pending
//             fabric_rst      reset for the fabric: rst or a soft reset
//             cfg_*           configuration stream of the fabric
//             in_*, out_*     boundary channels, 64 data bits each
//             mem_*           host ports: mem_en one per memory, mem_rdata 64 bits
//                             each, in the cycle after mem_en
//             base            base addresses, 64 bits each
//             size            sizes of the arrays there in bytes, all ones after reset and
//                             where there is none
//             running, idle, error_valid, error_code: from the fabric
// Timing      No output of the AXI4-Lite interface depends on an input in the same cycle:
//             each request channel ends in a register, each response comes from one. A
//             write takes effect when its address and data are there and the response
//             before it has gone; reads and writes take effect in different cycles, in
//             which they came, a write before a read of the same cycle. A started run
//             offers every enabled argument once and takes every enabled result once;
//             DONE when all have gone and come and the fabric is idle. An error ends the
//             run without DONE; only a reset makes another one possible. A read of an
//             element gets its response two cycles later than others, and nothing else
//             happens in between.
// Errors      SLVERR for a read of what does not exist or cannot be read, and for a write
//             of what does not exist or may not be written now; neither has an effect.
// Rule        design page "RTL", top level; docs/registers.md.
module loom_axil_host #(
    parameter int N_IN = 1,
    parameter int N_OUT = 1,
    parameter int N_MEM = 0,
    parameter logic [((N_MEM > 1) ? N_MEM : 1)*32-1:0] MEM_ELEMENTS = '0,
    parameter int N_BASE = 0,
    parameter logic [((N_BASE > 1) ? N_BASE : 1)-1:0] SIZED = '0,
    parameter logic [63:0] LAYOUT_HASH = 64'd0,
    parameter logic [31:0] VERSION = 32'd3
) (
    input  logic                clk,
    input  logic                rst,
    // AXI4-Lite slave
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [11:0]         s_axil_awaddr,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    input  logic [31:0]         s_axil_wdata,
    input  logic [3:0]          s_axil_wstrb,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    output logic [1:0]          s_axil_bresp,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    input  logic [11:0]         s_axil_araddr,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    output logic [31:0]         s_axil_rdata,
    output logic [1:0]          s_axil_rresp,
    output logic                irq,
    // fabric
    output logic                fabric_rst,
    output logic                cfg_valid,
    input  logic                cfg_ready,
    output logic [31:0]         cfg_data,
    output logic                cfg_last,
    output logic [N_IN-1:0]     in_valid,
    input  logic [N_IN-1:0]     in_ready,
    output logic [N_IN*64-1:0]  in_data,
    input  logic [N_OUT-1:0]    out_valid,
    output logic [N_OUT-1:0]    out_ready,
    input  logic [N_OUT*64-1:0] out_data,
    output logic [((N_MEM > 1) ? N_MEM : 1)-1:0] mem_en,
    output logic                mem_we,
    output logic [31:0]         mem_addr,
    output logic [63:0]         mem_wdata,
    input  logic [((N_MEM > 1) ? N_MEM : 1)*64-1:0] mem_rdata,
    output logic [((N_BASE > 1) ? N_BASE : 1)*64-1:0] base,
    output logic [((N_BASE > 1) ? N_BASE : 1)*64-1:0] size,
    input  logic                running,
    input  logic                idle,
    input  logic                error_valid,
    input  logic [15:0]         error_code
);
    localparam logic [31:0] MAGIC = 32'h4D4F4F4C; // "LOOM", lowest byte first
    localparam logic [1:0]  OKAY = 2'b00, SLVERR = 2'b10;

    localparam logic [31:0] HASH_LO = LAYOUT_HASH[31:0], HASH_HI = LAYOUT_HASH[63:32];

    // Registers are words: address bits 11:2. Sizes start at 0x200, arguments at 0x400,
    // results at 0x800, base addresses at 0xC00, two words each, low half first.
    localparam logic [9:0] REG_MAGIC = 10'h000, REG_VERSION = 10'h001, REG_HASH_LO = 10'h002,
        REG_HASH_HI = 10'h003, REG_CONTROL = 10'h004, REG_STATUS = 10'h005, REG_ERROR = 10'h006,
        REG_CFG_DATA = 10'h007, REG_CFG_LAST = 10'h008, REG_CYCLES_LO = 10'h009,
        REG_CYCLES_HI = 10'h00A, REG_PORTS = 10'h00B, REG_IRQ_ENABLE = 10'h00C,
        REG_IRQ_STATUS = 10'h00D, REG_BASE_COUNT = 10'h00E, REG_ARG_ENABLE = 10'h010,
        REG_RESULT_ENABLE = 10'h014, REG_RESULT_VALID = 10'h018, REG_MEM_COUNT = 10'h01C,
        REG_MEM_SELECT = 10'h01D, REG_MEM_ELEMENTS = 10'h01E, REG_MEM_ADDR = 10'h01F,
        REG_MEM_DATA_LO = 10'h020, REG_MEM_DATA_HI = 10'h021;
    localparam logic [7:0] ARG_ENABLES = REG_ARG_ENABLE[9:2], RESULT_ENABLES = REG_RESULT_ENABLE[9:2],
        RESULTS_VALID = REG_RESULT_VALID[9:2]; // four words each
    localparam logic [1:0] IN_ARG = 2'b01, IN_RESULT = 2'b10, IN_BASE = 2'b11; // address bits 11:10
    localparam logic [2:0] IN_SIZE = 3'b001; // address bits 11:9
    localparam int MAX_SIZES = 64;
    localparam logic [127:0] SIZES = 128'(SIZED);
    localparam int ARG_WORDS = 2 * N_IN, RESULT_WORDS = 2 * N_OUT, BASE_WORDS = 2 * N_BASE;

    logic [N_IN-1:0]     arg_enable, pending;
    logic [N_OUT-1:0]    result_enable, got;
    logic [N_IN*64-1:0]  args;
    logic [N_OUT*64-1:0] results;
    logic                busy, done, soft_rst;
    logic [63:0]         cycles;
    logic [31:0]         cycles_held;   // the high word when the low word was read
    logic [1:0]          irq_enable, irq_status; // bit 0: done, 1: error

    // ---- write channels -----------------------------------------------------
    // Address and data wait in one register each until the write takes effect.
    logic        aw_full, w_full;
    logic [9:0]  waddr;
    logic [31:0] wdata;
    logic [3:0]  wstrb;
    logic        write;       // the write takes effect
    logic        cfg_busy;    // a configuration word waits for the loader
    logic        reading;     // an element is being read
    logic        may_write;   // the register exists and can be written now
    logic        store;       // a write that is not refused

    assign s_axil_awready = ~aw_full;
    assign s_axil_wready  = ~w_full;
    assign write          = aw_full & w_full & ~s_axil_bvalid & ~cfg_busy & ~reading;
    assign store          = write & may_write;
    assign cfg_valid      = cfg_busy;

    // Commands need their byte, words that do something when written all four.
    // (Icarus wants no constant selects inside always_comb.)
    logic        whole, partial, wants_reset, wants_start, mem_inside, is_enable, is_size;
    logic [1:0]  wpart;
    logic [31:0] wword;
    assign wpart       = waddr[9:8];
    assign wword       = {24'd0, waddr[7:0]};
    assign is_enable   = (waddr[9:2] == ARG_ENABLES) | (waddr[9:2] == RESULT_ENABLES);
    assign is_size     = (waddr[9:7] == IN_SIZE) & SIZES[{1'b0, waddr[6:1]}];
    assign whole       = &wstrb;
    assign partial     = ~whole & (|wstrb);
    assign wants_reset = (waddr == REG_CONTROL) & wstrb[0] & wdata[0];
    assign wants_start = (waddr == REG_CONTROL) & wstrb[0] & wdata[1] & ~wdata[0];

    always_comb begin
        case (waddr)
            REG_CONTROL:     may_write = ~wants_start | (running & ~busy & ~error_valid);
            REG_CFG_DATA,
            REG_CFG_LAST:    may_write = ~partial & ~busy;
            REG_IRQ_ENABLE,
            REG_IRQ_STATUS,
            REG_MEM_SELECT,
            REG_MEM_ADDR,
            REG_MEM_DATA_HI: may_write = 1'b1;
            REG_MEM_DATA_LO: may_write = ~partial & mem_inside;
            default:
                case (wpart)
                    IN_ARG:  may_write = ~busy & (wword + 32'd1 <= ARG_WORDS);
                    IN_BASE: may_write = ~busy & (wword + 32'd1 <= BASE_WORDS);
                    default: may_write = ~busy & (is_enable | is_size);
                endcase
        endcase
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            aw_full       <= 1'b0;
            w_full        <= 1'b0;
            s_axil_bvalid <= 1'b0;
            s_axil_bresp  <= OKAY;
            cfg_busy      <= 1'b0;
        end else begin
            if (write) begin
                aw_full       <= 1'b0;
                w_full        <= 1'b0;
                s_axil_bvalid <= 1'b1;
                s_axil_bresp  <= may_write ? OKAY : SLVERR;
            end else begin
                if (s_axil_awvalid) aw_full <= 1'b1;
                if (s_axil_wvalid) w_full <= 1'b1;
                if (s_axil_bready) s_axil_bvalid <= 1'b0;
            end
            if (store && whole && (waddr == REG_CFG_DATA || waddr == REG_CFG_LAST)) cfg_busy <= 1'b1;
            else if (cfg_ready) cfg_busy <= 1'b0;
        end
    end

    always_ff @(posedge clk) begin
        if (s_axil_awready) waddr <= s_axil_awaddr[11:2];
        if (s_axil_wready) begin
            wdata <= s_axil_wdata;
            wstrb <= s_axil_wstrb;
        end
        if (store && ~cfg_busy) begin
            cfg_data <= wdata;
            cfg_last <= (waddr == REG_CFG_LAST);
        end
    end

    // ---- arguments, run control, results ------------------------------------
    logic start, finish;
    assign start      = store & wants_start;
    // Every argument has gone, every result has come, nothing is left inside, nothing failed.
    assign finish     = busy & ~error_valid & ~(|pending) & (&(got | ~result_enable)) & idle;
    assign in_valid   = pending;
    assign in_data    = args;
    assign out_ready  = {N_OUT{busy}} & result_enable & ~got;
    assign fabric_rst = rst | soft_rst;

    always_ff @(posedge clk) begin
        soft_rst <= ~rst & store & wants_reset;
        if (rst || soft_rst) begin
            pending <= '0;
            got     <= '0;
            busy    <= 1'b0;
            done    <= 1'b0;
            cycles  <= 64'd0;
        end else if (start) begin
            pending <= arg_enable;
            got     <= '0;
            busy    <= 1'b1;
            done    <= 1'b0;
            cycles  <= 64'd0;
        end else if (busy) begin
            pending <= pending & ~in_ready & ~{N_IN{error_valid}};
            got     <= got | (out_valid & out_ready);
            cycles  <= cycles + 64'd1;
            busy    <= ~finish & ~error_valid;
            done    <= finish;
        end
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            arg_enable    <= '0;
            result_enable <= '0;
            args          <= '0;
            base          <= '0;
        end else if (store) begin
            for (int i = 0; i < N_IN; i++) begin
                if (waddr == REG_ARG_ENABLE + 10'(i / 32) && wstrb[(i / 8) % 4]) arg_enable[i] <= wdata[i % 32];
                for (int b = 0; b < 4; b++) begin
                    if (waddr == 10'h100 + 10'(2 * i) && wstrb[b]) args[i*64+8*b +: 8] <= wdata[8*b +: 8];
                    if (waddr == 10'h101 + 10'(2 * i) && wstrb[b]) args[i*64+32+8*b +: 8] <= wdata[8*b +: 8];
                end
            end
            for (int i = 0; i < N_OUT; i++) begin
                if (waddr == REG_RESULT_ENABLE + 10'(i / 32) && wstrb[(i / 8) % 4]) result_enable[i] <= wdata[i % 32];
            end
            for (int i = 0; i < N_BASE; i++) begin
                for (int b = 0; b < 4; b++) begin
                    if (waddr == 10'h300 + 10'(2 * i) && wstrb[b]) base[i*64+8*b +: 8] <= wdata[8*b +: 8];
                    if (waddr == 10'h301 + 10'(2 * i) && wstrb[b]) base[i*64+32+8*b +: 8] <= wdata[8*b +: 8];
                end
            end
        end
    end

    // The sizes that exist; the others are no limit.
    generate
        for (genvar i = 0; i < ((N_BASE > 1) ? N_BASE : 1); i++) begin : g_size
            if (i < MAX_SIZES && SIZED[i]) begin : g_sized
                logic [63:0] bytes;
                assign size[i*64 +: 64] = bytes;
                always_ff @(posedge clk) begin
                    if (rst) bytes <= '1;
                    else if (store) begin
                        for (int b = 0; b < 4; b++) begin
                            if (waddr == 10'h080 + 10'(2 * i) && wstrb[b]) bytes[8*b +: 8] <= wdata[8*b +: 8];
                            if (waddr == 10'h081 + 10'(2 * i) && wstrb[b]) bytes[32+8*b +: 8] <= wdata[8*b +: 8];
                        end
                    end
                end
            end else begin : g_unsized
                assign size[i*64 +: 64] = '1;
            end
        end
    endgenerate

    always_ff @(posedge clk) begin
        for (int i = 0; i < N_OUT; i++) begin
            if (out_valid[i] && out_ready[i]) results[i*64 +: 64] <= out_data[i*64 +: 64];
        end
    end

    // ---- interrupt ----------------------------------------------------------
    // Events are remembered until a 1 is written to them or the fabric is reset; an
    // event of the cycle in which it is cleared stays.
    logic       error_seen;
    logic [1:0] irq_clear;
    assign irq_clear = wdata[1:0] & {2{store & (waddr == REG_IRQ_STATUS) & wstrb[0]}};

    always_ff @(posedge clk) begin
        if (rst || soft_rst) begin
            error_seen <= 1'b0;
            irq_status <= 2'b00;
        end else begin
            error_seen <= error_valid;
            irq_status <= (irq_status & ~irq_clear) | {error_valid & ~error_seen, finish};
        end
        if (rst) begin
            irq_enable <= 2'b00;
            irq        <= 1'b0;
        end else begin
            irq <= |(irq_status & irq_enable);
            if (store && waddr == REG_IRQ_ENABLE && wstrb[0]) irq_enable <= wdata[1:0];
        end
    end

    // ---- memories -----------------------------------------------------------
    // An access to the low data word reads or writes the element and moves on to the
    // next one; the high word only holds its other half.
    localparam int MEMS = (N_MEM > 1) ? N_MEM : 1;
    localparam int SELW = (MEMS > 1) ? $clog2(MEMS) : 1;

    logic            read, may_read;        // a read takes effect; it is not refused
    logic            ar_full;
    logic [9:0]      raddr;
    logic [31:0]     mem_number;            // as written
    logic [SELW-1:0] mem_select;
    logic [31:0]     mem_next, mem_elements, mem_hi;
    logic [63:0]     mem_word;
    logic            mem_write, mem_read;
    logic [32:0]     mem_left;              // negative: there is an element
    logic            read_access, read_answer; // the two cycles of an element's read

    assign mem_select   = mem_number[SELW-1:0];
    assign mem_elements = (N_MEM != 0 && mem_number < N_MEM) ? MEM_ELEMENTS[mem_select*32 +: 32] : 32'd0;
    assign mem_left     = {1'b0, mem_next} - {1'b0, mem_elements};
    assign mem_inside   = mem_left[32];
    assign mem_write    = store & whole & (waddr == REG_MEM_DATA_LO);
    assign mem_read     = read & may_read & (raddr == REG_MEM_DATA_LO);
    assign reading      = read_access | read_answer;
    assign mem_word     = mem_rdata[mem_select*64 +: 64];

    always_ff @(posedge clk) begin
        if (rst) begin
            mem_number  <= 32'd0;
            mem_next    <= 32'd0;
            mem_en      <= '0;
            mem_we      <= 1'b0;
            read_access <= 1'b0;
            read_answer <= 1'b0;
        end else begin
            for (int m = 0; m < MEMS; m++) begin
                mem_en[m] <= (mem_write | mem_read) & (mem_select == m[SELW-1:0]);
            end
            mem_we      <= mem_write;
            read_access <= mem_read;
            read_answer <= read_access;
            if (mem_write || mem_read) mem_next <= mem_next + 32'd1;
            else if (store) begin
                for (int b = 0; b < 4; b++) begin
                    if (waddr == REG_MEM_SELECT && wstrb[b]) mem_number[8*b +: 8] <= wdata[8*b +: 8];
                    if (waddr == REG_MEM_ADDR && wstrb[b]) mem_next[8*b +: 8] <= wdata[8*b +: 8];
                end
            end
        end
    end

    always_ff @(posedge clk) begin
        if (mem_write || mem_read) mem_addr <= mem_next;
        if (mem_write) mem_wdata <= {mem_hi, wdata};
        if (read_answer) mem_hi <= mem_word[63:32];
        else if (store && waddr == REG_MEM_DATA_HI) begin
            for (int b = 0; b < 4; b++) begin
                if (wstrb[b]) mem_hi[8*b +: 8] <= wdata[8*b +: 8];
            end
        end
    end

    // ---- read channels ------------------------------------------------------
    assign s_axil_arready = ~ar_full;
    assign read           = ar_full & ~s_axil_rvalid & ~write & ~reading;

    // Words selected by address; bits of channels that do not exist read as 0.
    logic [127:0] got_all, arg_all, result_all;
    logic [6:0]   at_bit;
    logic [31:0]  rdata, result_word;
    logic         in_results;
    assign got_all     = 128'(got);
    assign arg_all     = 128'(arg_enable);
    assign result_all  = 128'(result_enable);
    assign at_bit      = {raddr[1:0], 5'd0};
    assign in_results  = raddr[9:8] == IN_RESULT && {24'd0, raddr[7:0]} < RESULT_WORDS;
    assign result_word = results[32 * {24'd0, (in_results ? raddr[7:0] : 8'd0)} +: 32];

    logic [31:0] cycles_lo, cycles_hi;
    logic [7:0]  rgroup;
    assign {cycles_hi, cycles_lo} = cycles;
    assign rgroup = raddr[9:2];

    always_comb begin
        may_read = 1'b1;
        case (raddr)
            REG_MAGIC:        rdata = MAGIC;
            REG_VERSION:      rdata = VERSION;
            REG_HASH_LO:      rdata = HASH_LO;
            REG_HASH_HI:      rdata = HASH_HI;
            REG_STATUS:       rdata = {27'd0, idle, error_valid, done, busy, running};
            REG_ERROR:        rdata = {16'd0, error_code};
            REG_CYCLES_LO:    rdata = cycles_lo;
            REG_CYCLES_HI:    rdata = cycles_held;
            REG_PORTS:        rdata = {16'(N_OUT), 16'(N_IN)};
            REG_IRQ_ENABLE:   rdata = {30'd0, irq_enable};
            REG_IRQ_STATUS:   rdata = {30'd0, irq_status};
            REG_BASE_COUNT:   rdata = N_BASE;
            REG_MEM_COUNT:    rdata = N_MEM;
            REG_MEM_SELECT:   rdata = mem_number;
            REG_MEM_ELEMENTS: rdata = mem_elements;
            REG_MEM_ADDR:     rdata = mem_next;
            REG_MEM_DATA_HI:  rdata = mem_hi;
            REG_MEM_DATA_LO: begin // the element itself comes later
                rdata    = 32'd0;
                may_read = mem_inside;
            end
            default: begin
                case (rgroup)
                    ARG_ENABLES:    rdata = arg_all[at_bit +: 32];
                    RESULT_ENABLES: rdata = result_all[at_bit +: 32];
                    RESULTS_VALID:  rdata = got_all[at_bit +: 32];
                    default: begin
                        rdata    = in_results ? result_word : 32'd0;
                        may_read = in_results;
                    end
                endcase
            end
        endcase
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            ar_full       <= 1'b0;
            s_axil_rvalid <= 1'b0;
            s_axil_rdata  <= 32'd0;
            s_axil_rresp  <= OKAY;
        end else begin
            if (read) ar_full <= 1'b0;
            else if (s_axil_arvalid) ar_full <= 1'b1;
            if (read_answer) begin
                s_axil_rvalid <= 1'b1;
                s_axil_rdata  <= mem_word[31:0];
                s_axil_rresp  <= OKAY;
            end else if (read && !mem_read) begin
                s_axil_rvalid <= 1'b1;
                s_axil_rdata  <= rdata;
                s_axil_rresp  <= may_read ? OKAY : SLVERR;
            end else if (s_axil_rready) begin
                s_axil_rvalid <= 1'b0;
            end
        end
        if (s_axil_arready) raddr <= s_axil_araddr[11:2];
        if (read && raddr == REG_CYCLES_LO) cycles_held <= cycles_hi;
    end

    // Addresses are those of words: the two low bits say nothing.
    logic unused;
    assign unused = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0], mem_left[31:0]};

    initial begin
        if (N_IN < 1 || N_IN > 128) $fatal(1, "loom_axil_host: N_IN must be 1 to 128");
        if (N_OUT < 1 || N_OUT > 128) $fatal(1, "loom_axil_host: N_OUT must be 1 to 128");
        if (N_BASE < 0 || N_BASE > 128) $fatal(1, "loom_axil_host: N_BASE must be 0 to 128");
        if ((SIZES >> MAX_SIZES) != 128'd0) $fatal(1, "loom_axil_host: SIZED has more than 64 bits");
    end

`ifdef LOOM_FORMAL
`include "loom_axil_host.svh"
`endif
endmodule
