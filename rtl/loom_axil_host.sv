// loom_axil_host: the host's view of a fabric, an AXI4-Lite slave.
//
// Function    Holds argument registers, starts a run, collects results, counts
//             cycles, passes configuration words on and reports status, error
//             code and identity. The register map is the table in
//             compiler/host/regmap.go, from which header and documentation come.
// Parameters  N_IN, N_OUT     boundary channels of the fabric, 1 to 128 each
//             LAYOUT_HASH     identity of fabric and configuration layout
//             VERSION         register map version
// Ports       s_axil_*        AXI4-Lite, 32-bit data, 12-bit byte address
//             fabric_rst      reset for the fabric: rst or a soft reset
//             cfg_*           configuration stream of the fabric
//             in_*, out_*     boundary channels, 64 data bits each
//             running, idle, error_valid, error_code: from the fabric
// Timing      One write and one read at a time; a write is answered when it has
//             taken effect. A started run offers every enabled argument once and
//             takes every enabled result once; DONE when all have arrived.
// Rule        design page "RTL", top level.
module loom_axil_host #(
    parameter int N_IN = 1,
    parameter int N_OUT = 1,
    parameter logic [63:0] LAYOUT_HASH = 64'd0,
    parameter logic [31:0] VERSION = 32'd1
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
    input  logic                running,
    input  logic                idle,
    input  logic                error_valid,
    input  logic [15:0]         error_code
);
    localparam logic [31:0] MAGIC = 32'h4D4F4F4C; // "LOOM", lowest byte first

    localparam logic [31:0] HASH_LO = LAYOUT_HASH[31:0], HASH_HI = LAYOUT_HASH[63:32];

    // Registers are words: address bits 11:2. Arguments start at 0x400, results
    // at 0x800, two words each, low half first.
    localparam logic [9:0] REG_MAGIC = 10'h000, REG_VERSION = 10'h001, REG_HASH_LO = 10'h002,
        REG_HASH_HI = 10'h003, REG_CONTROL = 10'h004, REG_STATUS = 10'h005, REG_ERROR = 10'h006,
        REG_CFG_DATA = 10'h007, REG_CFG_LAST = 10'h008, REG_CYCLES_LO = 10'h009,
        REG_CYCLES_HI = 10'h00A, REG_PORTS = 10'h00B, REG_ARG_ENABLE = 10'h010,
        REG_RESULT_ENABLE = 10'h014, REG_RESULT_VALID = 10'h018;

    logic [N_IN-1:0]     arg_enable, pending;
    logic [N_OUT-1:0]    result_enable, got;
    logic [N_IN*64-1:0]  args;
    logic [N_OUT*64-1:0] results;
    logic                busy, done, soft_rst;
    logic [63:0]         cycles;

    // ---- write channel ----------------------------------------------------
    logic        write;       // address and data are both here and taken
    logic [9:0]  waddr;
    logic        cfg_busy;    // a configuration word waits for the loader

    assign write          = s_axil_awvalid & s_axil_wvalid & ~s_axil_bvalid & ~cfg_busy;
    assign s_axil_awready = write;
    assign s_axil_wready  = write;
    assign s_axil_bresp   = 2'b00;
    assign waddr          = s_axil_awaddr[11:2];
    assign cfg_valid      = cfg_busy;

    always_ff @(posedge clk) begin
        if (rst) begin
            s_axil_bvalid <= 1'b0;
            cfg_busy      <= 1'b0;
            cfg_data      <= 32'd0;
            cfg_last      <= 1'b0;
        end else begin
            if (write) begin
                s_axil_bvalid <= 1'b1;
                if (waddr == REG_CFG_DATA || waddr == REG_CFG_LAST) begin
                    cfg_busy <= 1'b1;
                    cfg_data <= s_axil_wdata;
                    cfg_last <= (waddr == REG_CFG_LAST);
                end
            end else if (s_axil_bready) begin
                s_axil_bvalid <= 1'b0;
            end
            if (cfg_busy && cfg_ready) cfg_busy <= 1'b0;
        end
    end

    // ---- arguments, run control, results ------------------------------------
    logic start;
    logic all_taken;
    assign start      = write & (waddr == REG_CONTROL) & s_axil_wdata[1] & running & ~busy;
    assign all_taken  = &(got | ~result_enable);
    assign in_valid   = pending;
    assign in_data    = args;
    assign out_ready  = {N_OUT{busy}} & result_enable & ~got;
    assign fabric_rst = rst | soft_rst;

    always_ff @(posedge clk) begin
        if (rst) begin
            soft_rst <= 1'b0;
        end else begin
            soft_rst <= write & (waddr == REG_CONTROL) & s_axil_wdata[0];
        end
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
            pending <= pending & ~in_ready;
            got     <= got | (out_valid & out_ready);
            cycles  <= cycles + 64'd1;
            if (all_taken && idle) begin
                busy <= 1'b0;
                done <= 1'b1;
            end
        end
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            arg_enable    <= '0;
            result_enable <= '0;
            args          <= '0;
        end else if (write) begin
            for (int i = 0; i < N_IN; i++) begin
                if (waddr == REG_ARG_ENABLE + 10'(i / 32)) arg_enable[i] <= s_axil_wdata[i % 32];
                if (waddr == 10'h100 + 10'(2 * i)) args[i*64 +: 32] <= s_axil_wdata;
                if (waddr == 10'h101 + 10'(2 * i)) args[i*64+32 +: 32] <= s_axil_wdata;
            end
            for (int i = 0; i < N_OUT; i++) begin
                if (waddr == REG_RESULT_ENABLE + 10'(i / 32)) result_enable[i] <= s_axil_wdata[i % 32];
            end
        end
    end

    always_ff @(posedge clk) begin
        for (int i = 0; i < N_OUT; i++) begin
            if (out_valid[i] && out_ready[i]) results[i*64 +: 64] <= out_data[i*64 +: 64];
        end
    end

    // ---- read channel -------------------------------------------------------
    logic [9:0]  raddr;
    logic [31:0] rdata;
    assign raddr          = s_axil_araddr[11:2];
    assign s_axil_arready = ~s_axil_rvalid;
    assign s_axil_rresp   = 2'b00;

    // Result registers selected by address; outside their range they read as 0.
    localparam int OUT_WORDS = 2 * N_OUT;
    logic [127:0] got_all;
    logic [31:0]  got_word, result_word;
    logic         in_got, in_results;
    assign got_all     = 128'(got);
    assign in_got      = raddr[9:2] == REG_RESULT_VALID[9:2];
    assign got_word    = got_all[{raddr[1:0], 5'd0} +: 32];
    assign in_results  = raddr[9:8] == 2'b10 && {24'd0, raddr[7:0]} < OUT_WORDS;
    assign result_word = results[32 * {24'd0, (in_results ? raddr[7:0] : 8'd0)} +: 32];

    // Icarus wants no constant selects inside always_comb.
    logic [31:0] cycles_lo, cycles_hi;
    assign {cycles_hi, cycles_lo} = cycles;

    always_comb begin
        case (raddr)
            REG_MAGIC:     rdata = MAGIC;
            REG_VERSION:   rdata = VERSION;
            REG_HASH_LO:   rdata = HASH_LO;
            REG_HASH_HI:   rdata = HASH_HI;
            REG_STATUS:    rdata = {27'd0, idle, error_valid, done, busy, running};
            REG_ERROR:     rdata = {16'd0, error_code};
            REG_CYCLES_LO: rdata = cycles_lo;
            REG_CYCLES_HI: rdata = cycles_hi;
            REG_PORTS:     rdata = {16'(N_OUT), 16'(N_IN)};
            default:       rdata = in_got ? got_word : in_results ? result_word : 32'd0;
        endcase
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            s_axil_rvalid <= 1'b0;
            s_axil_rdata  <= 32'd0;
        end else if (s_axil_arvalid && s_axil_arready) begin
            s_axil_rvalid <= 1'b1;
            s_axil_rdata  <= rdata;
        end else if (s_axil_rready) begin
            s_axil_rvalid <= 1'b0;
        end
    end

    // Byte strobes and the two low address bits are not used: registers are
    // written as whole words, as loom_accel.c does.
    logic unused;
    assign unused = &{1'b0, s_axil_wstrb, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

    initial begin
        if (N_IN < 1 || N_IN > 128) $fatal(1, "loom_axil_host: N_IN must be 1 to 128");
        if (N_OUT < 1 || N_OUT > 128) $fatal(1, "loom_axil_host: N_OUT must be 1 to 128");
    end
endmodule
